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

  private static final DeviceShape A100 =
      new DeviceShape(108, 2048, 32, 167_936, 166_912, 40 << 20, 80);

  private static final DeviceShape A40 =
      new DeviceShape(84, 1536, 16, 102_400, 101_376, 6 << 20, 86);

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

  /** The rates that docs/kernels.md lists by compute capability. */
  @Test
  void costsFollowTheComputeCapability() {
    WalkCosts hopper = WalkCosts.of(H200);
    WalkCosts ampere = WalkCosts.of(A100);
    WalkCosts consumer = WalkCosts.of(A40);
    // 5.5 TB/s at 1.98 GHz, and 5120 bytes per clock.
    assertEquals(5.5e12 / 1.98e9 / 132, hopper.cacheBytes(), 0.5);
    assertEquals(5120.0 / 108, ampere.cacheBytes(), 0.5);
    // 64, 32 and 2 additions of doubles per clock; 32, 32 and 16 units that load and store.
    assertEquals(32.0 / 64, hopper.warpOfDoubles());
    assertEquals(32.0 / 32, ampere.warpOfDoubles());
    assertEquals(32.0 / 2, consumer.warpOfDoubles());
    assertEquals(32.0 / 32, hopper.access());
    assertEquals(32.0 / 32, ampere.access());
    assertEquals(32.0 / 16, consumer.access());
  }

  /** The warp that adds a tile's values waits for each addition, while the others walk. */
  @Test
  void additionsOfDoublesLimitTiles() {
    WalkPlan.Work work = new WalkPlan.Work(10_000, 1000, 136, 32, true, 6, Double.BYTES);
    WalkCosts costs = WalkCosts.of(A40);
    WalkPlan smallTiles =
        WalkPlan.candidates(A40, work, 0).stream()
            .filter(plan -> plan.tileShift() == 5 && plan.threads() == 1024)
            .findFirst()
            .orElseThrow();
    // 313 tiles are four for each of the 84 multiprocessors, one at a time.
    double additions = 4 * 1000 * costs.addDouble();
    assertTrue(costs.clocks(A40, smallTiles, work) >= additions, smallTiles.toString());
    WalkPlan cheapest = WalkCosts.cheapest(A40, work, 0);
    assertTrue(costs.clocks(A40, cheapest, work) < additions, cheapest.toString());
  }

  /** A byte of shared memory decides whether two blocks of threads run at a time. */
  @Test
  void blocksAtOnceHideLatency() {
    WalkPlan.Work work = new WalkPlan.Work(10_000, 1000, 136, 512, false, 14, Double.BYTES);
    WalkPlan plan =
        WalkPlan.candidates(H200, work, 0).stream()
            .filter(p -> p.tileShift() == 5 && p.threads() == 256)
            .findFirst()
            .orElseThrow();
    int two = 2 * (plan.sharedBytes() + DeviceShape.RESERVED_PER_BLOCK);
    WalkCosts costs = WalkCosts.of(H200);
    assertTrue(
        costs.clocks(withShared(two), plan, work) < costs.clocks(withShared(two - 1), plan, work));
  }

  private static DeviceShape withShared(int sharedBytes) {
    return new DeviceShape(132, 2048, 32, sharedBytes, 232_448, 50 << 20, 90);
  }

  @Test
  void additionsCostMoreWithoutUnitsForDoubles() {
    assertTrue(WalkCosts.of(H200).addDouble() < WalkCosts.of(A40).addDouble());
    // Units for floats are the same on both; a plan that splits trees pays for its additions.
    assertEquals(WalkCosts.of(H200).addFloat(), WalkCosts.of(A40).addFloat());
    double floats = clocksOfSplitTrees(A40, Float.BYTES);
    double doubles = clocksOfSplitTrees(A40, Double.BYTES);
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
