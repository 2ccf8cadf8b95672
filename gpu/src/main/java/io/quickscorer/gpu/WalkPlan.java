// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.util.ArrayList;
import java.util.List;

/**
 * The partition of one batch of the quantised traversal: tiles of documents over gridX, runs of
 * trees over gridY, and within a block of threads, groups that walk different trees of a round for
 * the same documents.
 *
 * <p>The more documents share a tile, the less often nodes are copied to shared memory; the fewer,
 * the more blocks there are to fill the device. If few documents would leave multiprocessors idle,
 * trees are split over blocks, whose leaf values a second kernel adds in tree order; that costs
 * copies of the values through device memory. {@link WalkCosts} chooses among the {@link
 * #candidates}.
 *
 * @param tileShift log2 of the documents of a tile
 * @param groups threads per document
 * @param oblivious whether nodes are levels of oblivious trees
 * @param shifted whether a node's column number must be shifted to give its row's offset
 * @param sharedRanks whether the tile's ranks are in shared memory
 * @param sharedNodes whether nodes are copied to shared memory, a round at a time
 * @param treesPerBlock trees of one block of threads; a multiple of a round unless it is all
 * @param gridY runs of trees
 * @param nodesAt offset of the nodes in shared memory, and so on
 */
record WalkPlan(
    int tileShift,
    int groups,
    boolean oblivious,
    boolean shifted,
    boolean sharedRanks,
    boolean sharedNodes,
    int treesPerBlock,
    int gridY,
    int nodesAt,
    int stageAt,
    int sumsAt,
    int sharedBytes) {
  /**
   * The work of one batch.
   *
   * @param documents of the batch
   * @param columns of ranks
   * @param treeBytes bytes of a tree's nodes
   * @param oblivious whether the trees are oblivious
   * @param steps mean number of steps that the trees take
   * @param valueBytes bytes of a leaf value
   */
  record Work(
      int documents,
      int trees,
      int columns,
      int treeBytes,
      boolean oblivious,
      double steps,
      int valueBytes) {}

  /** Chooses a plan. */
  @FunctionalInterface
  interface Planner {
    WalkPlan plan(GpuDevice device, Work work);
  }

  /** Trees a thread walks at a time, {@code UNROLL} in quantized_traversal.cuh. */
  static final int UNROLL = 4;

  /** log2 of the bytes of the largest tile's row of ranks. */
  private static final int MAX_ROW_SHIFT = 10;

  private static final int MIN_ROW_SHIFT = 7;
  private static final int WORD_SHIFT = 2;
  private static final int MIN_THREADS = 256;

  /** {@code WALK_THREADS} in quantized_traversal.cuh. */
  private static final int MAX_THREADS = 1024;

  /** {@code WALK_LARGE_THREADS} there, of blocks with neither ranks nor nodes in shared memory. */
  private static final int MAX_LARGE_THREADS = 512;

  /** Most blocks per multiprocessor that splitting trees aims at. */
  private static final int MAX_WAVES = 4;

  private static final int MAX_GRID_Y = 65_535;

  /**
   * Returns the lowest bit of the column's number in a node. It is above the bits of the child, and
   * suits the largest tile.
   */
  static int columnPosition(int treeBytes) {
    return Math.max(Integer.numberOfTrailingZeros(treeBytes), MAX_ROW_SHIFT);
  }

  /**
   * Returns all sensible ways to divide a batch.
   *
   * @param splitBytes device memory that leaf values of split trees may take
   */
  static List<WalkPlan> candidates(DeviceShape device, Work work, long splitBytes) {
    boolean mayAdd = (long) work.documents * work.trees * work.valueBytes <= splitBytes;
    List<WalkPlan> plans = new ArrayList<>();
    for (int rowShift = MAX_ROW_SHIFT; rowShift >= MIN_ROW_SHIFT; rowShift--) {
      int tileShift = rowShift - WORD_SHIFT;
      for (int threads = MIN_THREADS; threads <= MAX_THREADS; threads *= 2) {
        int last = 0;
        for (int waves = 0; waves <= (mayAdd ? MAX_WAVES : 0); waves++) {
          int runs = waves * device.multiprocessors() / tiles(work.documents, tileShift);
          WalkPlan plan = cut(device, work, tileShift, threads, Math.clamp(runs, 1, MAX_GRID_Y));
          // Levels are so few bytes that some plan has room for them.
          boolean fits =
              plan.sharedNodes
                  || !work.oblivious && (plan.sharedRanks || threads <= MAX_LARGE_THREADS);
          if (fits && plan.gridY != last && plan.sharedBytes <= device.sharedBytesPerBlock()) {
            plans.add(plan);
            last = plan.gridY;
          }
        }
      }
    }
    return plans;
  }

  /** Returns the plan with given tiles and about this number of runs of trees. */
  private static WalkPlan cut(DeviceShape device, Work work, int tileShift, int threads, int runs) {
    int groups = threads >> tileShift;
    int round = groups * UNROLL;
    int stage = 2 * round * work.valueBytes << tileShift;
    int sums = work.valueBytes << tileShift;
    int treeBytes = work.treeBytes;
    long ranks = (long) work.columns * Integer.BYTES << tileShift;
    long nodes = 2L * round * treeBytes;
    long room = device.sharedBytesPerBlock() - stage - sums - treeBytes;
    boolean sharedRanks = ranks <= room;
    boolean sharedNodes = nodes <= (sharedRanks ? room - ranks : room);
    // A node's address is its tree's with bits set, so trees must be aligned to their size.
    long nodesAt = sharedRanks ? (ranks + treeBytes - 1) / treeBytes * treeBytes : 0;
    long stageAt = nodesAt + (sharedNodes ? nodes : 0);
    int rounds = (work.trees + round - 1) / round;
    int roundsPerBlock = (rounds + runs - 1) / runs;
    int gridY = (rounds + roundsPerBlock - 1) / roundsPerBlock;
    return new WalkPlan(
        tileShift,
        groups,
        work.oblivious,
        work.oblivious || columnPosition(treeBytes) != tileShift + WORD_SHIFT,
        sharedRanks,
        sharedNodes,
        gridY == 1 ? work.trees : roundsPerBlock * round,
        gridY,
        (int) nodesAt,
        (int) stageAt,
        (int) stageAt + stage,
        (int) stageAt + stage + sums);
  }

  private static int tiles(int documents, int tileShift) {
    return (documents + (1 << tileShift) - 1) >> tileShift;
  }

  int tiles(int documents) {
    return tiles(documents, tileShift);
  }

  int threads() {
    return groups << tileShift;
  }

  /** Returns whether a second kernel computes the sums. */
  boolean split() {
    return gridY > 1;
  }

  /** Returns log2 of the bytes of a row of ranks in shared memory. */
  int rowShift() {
    return tileShift + WORD_SHIFT;
  }

  String kernel() {
    if (oblivious) {
      return sharedRanks ? "walkOblivious" : "walkObliviousManyColumns";
    }
    if (sharedRanks && sharedNodes) {
      return shifted ? "walkShifted" : "walkShared";
    }
    if (sharedRanks) {
      return "walkLargeTrees";
    }
    return sharedNodes ? "walkManyColumns" : "walkLarge";
  }
}
