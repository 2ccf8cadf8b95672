// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How work is cut and where it goes: pure functions, by table. */
final class PlansTest {
  /** The GTX 1080 of the paper's Table 6. */
  private static final DeviceShape GTX_1080 =
      new DeviceShape(20, 2048, 32, 96 << 10, 48 << 10, 2 << 20, 61);

  private static final DeviceShape H200 =
      new DeviceShape(132, 2048, 32, 233_472, 232_448, 50 << 20, 90);

  @Test
  void leastThreadsThatFillAMultiprocessor() {
    // The paper's example: 4,000 trees of 32 leaves take 16 KB, 512 threads.
    assertEquals(512, TreeBlocks.threads(GTX_1080, 16_000));
    assertEquals(64, TreeBlocks.threads(GTX_1080, 100));
    assertEquals(1024, TreeBlocks.threads(GTX_1080, 48 << 10));
    assertEquals(1024, TreeBlocks.threads(H200, 115_000));
  }

  @Test
  void treeBlocksFitCacheAndSharedMemory() {
    // (4 + 2) * 31 + 8 * 32 bytes per tree: the paper's 2 MB limit is passed below 5,000 trees.
    TreeBlocks cut = TreeBlocks.of(GTX_1080, 20_000, 1, 6 * 31 + 8 * 32);
    assertEquals(4000, cut.trees());
    assertEquals(512, cut.threads());
    TreeBlocks large = TreeBlocks.of(H200, 20_000, 2, 10 * 63 + 8 * 64);
    assertEquals(10_000, large.trees());
    assertEquals(1, TreeBlocks.of(GTX_1080, 1, 1, 1).trees());
  }

  @Test
  void walkPlansCoverEverythingAndFit() {
    for (DeviceShape device : new DeviceShape[] {GTX_1080, H200}) {
      for (int documents : new int[] {1, 32, 33, 100, 1000, 10_000, 1_000_000}) {
        for (int trees : new int[] {1, 3, 64, 65, 1000, 20_000}) {
          for (int columns : new int[] {0, 1, 136, 300, 5000}) {
            for (int treeBytes = 16; treeBytes <= 16 << 10; treeBytes *= 4) {
              check(device, documents, trees, columns, treeBytes);
            }
          }
        }
      }
    }
  }

  private static WalkPlan cheapest(
      DeviceShape device, int documents, int trees, int columns, int treeBytes) {
    WalkPlan.Work work =
        new WalkPlan.Work(documents, trees, columns, treeBytes, false, 14, Double.BYTES);
    return WalkCosts.cheapest(device, work, 512L << 20);
  }

  private static void check(
      DeviceShape device, int documents, int trees, int columns, int treeBytes) {
    WalkPlan plan = cheapest(device, documents, trees, columns, treeBytes);
    String what = plan + " of " + documents + " documents, " + trees + " trees";
    assertTrue(plan.sharedBytes() <= device.sharedBytesPerBlock(), what);
    assertTrue(plan.threads() >= 256 && plan.threads() <= 1024, what);
    assertTrue(plan.groups() >= 1 && plan.gridY() <= 65_535, what);
    assertTrue((long) plan.tiles(documents) << plan.tileShift() >= documents, what);
    assertTrue((long) plan.gridY() * plan.treesPerBlock() >= trees, what);
    assertTrue((long) (plan.gridY() - 1) * plan.treesPerBlock() < trees, what);
    int round = plan.groups() * WalkPlan.UNROLL;
    assertTrue(!plan.split() || plan.treesPerBlock() % round == 0, what);
    assertEquals(0, plan.nodesAt() % treeBytes, what);
    assertEquals(0, plan.stageAt() % Double.BYTES, what);
  }

  @Test
  void walkPlansFillTheDevice() {
    WalkPlan small = cheapest(H200, 1000, 20_000, 136, 512);
    assertTrue(small.split() && small.sharedRanks() && small.sharedNodes(), small.toString());
    assertTrue(small.tiles(1000) * small.gridY() >= 132, small.toString());
    WalkPlan large = cheapest(H200, 1_000_000, 20_000, 136, 512);
    assertTrue(!large.split() && large.sharedRanks() && large.sharedNodes(), large.toString());
    assertEquals(256, 1 << large.tileShift(), large.toString());
    assertEquals("walkShared", large.kernel());
    WalkPlan middle = cheapest(H200, 10_000, 20_000, 136, 512);
    assertTrue(!middle.split() && middle.sharedRanks(), middle.toString());
  }

  @Test
  void smallWindowsGetSmallTiles() {
    for (int trees : new int[] {100, 1000, 5000, 20_000}) {
      WalkPlan plan = cheapest(H200, 100, trees, 136, 512);
      assertTrue(plan.tiles(100) << plan.tileShift() <= 128, plan.toString());
    }
  }

  @Test
  void additionsCostMoreWithoutUnitsForDoubles() {
    DeviceShape consumer = new DeviceShape(84, 1536, 16, 102_400, 101_376, 6 << 20, 86);
    assertTrue(WalkCosts.of(H200).addDouble() < WalkCosts.of(consumer).addDouble());
    // Units for floats are the same on both; a plan that splits trees pays for its additions.
    assertEquals(WalkCosts.of(H200).addFloat(), WalkCosts.of(consumer).addFloat());
    double floats = clocksOfSplitTrees(consumer, Float.BYTES);
    double doubles = clocksOfSplitTrees(consumer, Double.BYTES);
    assertTrue(floats + 20_000 * 40 < doubles, floats + " clocks, of doubles " + doubles);
  }

  private static double clocksOfSplitTrees(DeviceShape device, int valueBytes) {
    WalkPlan.Work work = new WalkPlan.Work(100, 20_000, 136, 512, false, 14, valueBytes);
    return WalkPlan.candidates(device, work, 512L << 20).stream()
        .filter(WalkPlan::split)
        .mapToDouble(plan -> WalkCosts.of(device).clocks(device, plan, work))
        .min()
        .orElseThrow();
  }

  /** Its levels do not wait for each other, and take fewer accesses. */
  @Test
  void obliviousTreesCostLess() {
    for (int documents : new int[] {100, 10_000}) {
      WalkPlan.Work trees = new WalkPlan.Work(documents, 1000, 136, 512, false, 6, Double.BYTES);
      WalkPlan.Work levels = new WalkPlan.Work(documents, 1000, 136, 32, true, 6, Double.BYTES);
      WalkCosts costs = WalkCosts.of(H200);
      WalkPlan ofLevels = WalkCosts.cheapest(H200, levels, 512L << 20);
      assertEquals("walkOblivious", ofLevels.kernel());
      assertTrue(
          costs.clocks(H200, ofLevels, levels)
              < costs.clocks(H200, WalkCosts.cheapest(H200, trees, 512L << 20), trees));
    }
  }

  /** Some plan has room for the levels, with ranks in shared memory or not. */
  @Test
  void obliviousTreesFitWithAnyNumberOfColumns() {
    for (DeviceShape device : new DeviceShape[] {GTX_1080, H200}) {
      for (int columns = 0; columns < 3000; columns++) {
        WalkPlan.Work work = new WalkPlan.Work(100, 1000, columns, 64, true, 14, Double.BYTES);
        assertTrue(WalkCosts.cheapest(device, work, 512L << 20).sharedNodes());
      }
    }
  }

  @Test
  void costsAreLines() {
    AffineCostModel cost = AffineCostModel.through(32, 132, 512, 612);
    assertEquals(new AffineCostModel(100, 1), cost);
    assertEquals(1100, cost.nanos(1000));
    // Noise must not give a negative part.
    assertEquals(new AffineCostModel(50, 0), AffineCostModel.through(32, 50, 512, 40));
    assertEquals(new AffineCostModel(0, 2), AffineCostModel.through(32, 40, 512, 1000));
  }
}
