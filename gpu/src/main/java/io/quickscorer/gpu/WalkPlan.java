// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.util.ArrayList;
import java.util.List;

/**
 * A plan: the division of a batch among blocks of threads, for {@link GpuTraversalScorer}. A block
 * processes some documents (a tile) and some trees (a run). Its threads form groups, which follow
 * different trees for the same documents. The trees that all groups follow together are a round.
 *
 * <p>Larger tiles copy nodes to shared memory less often; smaller tiles give more blocks, so that
 * the whole device is used. For few documents, the trees are split into several runs, and a second
 * kernel adds the leaf values in tree order.
 *
 * @param tileShift log2 of the number of documents of a tile
 * @param groups number of groups, which is the number of threads per document
 * @param oblivious whether nodes represent levels of oblivious trees
 * @param shifted whether a node's column field must be shifted to get the byte offset of the
 *     column's ranks
 * @param sharedRanks whether the tile's ranks are in shared memory
 * @param sharedNodes whether the nodes of each round are copied to shared memory
 * @param treesPerBlock number of trees of one run: all trees, or a multiple of a round
 * @param gridY number of runs
 * @param nodesAt byte offset of the nodes in shared memory
 * @param stageAt byte offset in shared memory of the leaf values to be added
 * @param sumsAt byte offset of the sums in shared memory
 * @param sharedBytes shared memory of a block, in bytes
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
   * The sizes that determine the work of one batch.
   *
   * @param columns number of columns of ranks
   * @param treeBytes size of a tree's nodes, in bytes
   * @param oblivious whether all splits of a tree's level are equal
   * @param steps mean number of steps (from a node to its child) per tree
   * @param valueBytes size of a leaf value, in bytes
   */
  record Work(
      int documents,
      int trees,
      int columns,
      int treeBytes,
      boolean oblivious,
      double steps,
      int valueBytes) {}

  /** Chooses the plan for a batch: how the batch is divided among threads. */
  @FunctionalInterface
  interface Planner {
    WalkPlan plan(GpuDevice device, Work work);
  }

  /** Number of trees that a thread follows together: {@code UNROLL} in quantized_traversal.cuh. */
  static final int UNROLL = 4;

  /** Maximum result of {@link #rowShift}. */
  private static final int MAX_ROW_SHIFT = 10;

  private static final int MIN_ROW_SHIFT = 7;
  private static final int WORD_SHIFT = 2;
  private static final int MIN_THREADS = 256;

  /** Maximum number of threads of a block: {@code WALK_THREADS} in quantized_traversal.cuh. */
  private static final int MAX_THREADS = 1024;

  /**
   * Maximum number of threads of a block if neither ranks nor nodes are in shared memory: {@code
   * WALK_LARGE_THREADS} in quantized_traversal.cuh.
   */
  private static final int MAX_LARGE_THREADS = 512;

  /** Maximum number of blocks per multiprocessor in plans that divide the trees among blocks. */
  private static final int MAX_WAVES = 4;

  private static final int MAX_GRID_Y = 65_535;

  /**
   * Returns the index of the lowest bit of the column field in the 32-bit word of a tree node.
   *
   * @param treeBytes size of a tree's nodes, in bytes
   */
  static int columnPosition(int treeBytes) {
    return Math.max(Integer.numberOfTrailingZeros(treeBytes), MAX_ROW_SHIFT);
  }

  /**
   * Returns the possible plans for a batch.
   *
   * @param work the sizes of the batch
   * @param splitBytes maximum device memory, in bytes, for the leaf values of plans that divide the
   *     trees
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
          // Levels of oblivious trees take few bytes, so some plan has them in shared memory.
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

  /**
   * Returns a plan that divides the trees into about {@code runs} parts.
   *
   * @param work the sizes of the batch
   * @param tileShift log2 of the number of documents of a tile
   * @param threads number of threads of a block
   */
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
    // The kernel computes the address of a node by an OR, so trees must be aligned to their size.
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

  /** Returns whether blocks of threads divide the trees; a second kernel then adds leaf values. */
  boolean split() {
    return gridY > 1;
  }

  /** Returns log2 of the size of one column's ranks in shared memory, in bytes. */
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
