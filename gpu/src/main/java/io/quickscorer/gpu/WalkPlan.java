// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/**
 * How one batch of the quantised traversal is cut: tiles of documents over gridX, runs of trees
 * over gridY, and within a block of threads, groups that walk different trees of a round for the
 * same documents.
 *
 * <p>The more documents share a tile, the less often nodes travel to shared memory; the fewer, the
 * more blocks there are to fill the device. Where few documents would leave multiprocessors idle,
 * trees are split over blocks, whose leaf values a second kernel adds in tree order; that costs the
 * values' way through device memory. {@link #of(DeviceShape, int, int, int, int)} takes the plan of
 * the least {@link #nanos}.
 *
 * @param tileShift log2 of the documents of a tile
 * @param groups threads per document
 * @param shifted whether a node's column number must be shifted to give its row's offset
 * @param sharedRanks whether the tile's ranks lie in shared memory
 * @param sharedNodes whether nodes are copied to shared memory, a round at a time
 * @param treesPerBlock trees of one block of threads; a multiple of a round unless it is all
 * @param gridY runs of trees
 * @param nodesAt offset of the nodes in shared memory, and so on
 */
record WalkPlan(
    int tileShift,
    int groups,
    boolean shifted,
    boolean sharedRanks,
    boolean sharedNodes,
    int treesPerBlock,
    int gridY,
    int nodesAt,
    int stageAt,
    int sumsAt,
    int sharedBytes) {
  /** Trees a thread walks at a time, {@code UNROLL} in quantized_traversal.cuh. */
  static final int UNROLL = 4;

  /** log2 of the bytes of the largest tile's row of ranks. */
  private static final int MAX_ROW_SHIFT = 10;

  private static final int MIN_ROW_SHIFT = 7;
  private static final int WORD_SHIFT = 2;
  private static final int THREADS = 512;

  /** Most blocks per multiprocessor that splitting trees aims at. */
  private static final int MAX_WAVES = 4;

  /** Device memory that leaf values of split trees may take. */
  private static final long MAX_SPLIT_BYTES = 256L << 20;

  // Estimates from instruction counts and data sheets of compute capability 9.0, per
  // multiprocessor;
  // only their proportions matter here. docs/kernels.md derives them.
  private static final double NANOS_PER_WALK = 0.45;
  private static final double SHIFT_PENALTY = 1.15;
  private static final double GLOBAL_PENALTY = 4;
  private static final double FETCH_NOT_HIDDEN = 0.25;
  private static final double CACHE_BYTES_PER_NANO = 42;
  private static final double MEMORY_BYTES_PER_NANO = 36;
  private static final double NANOS_PER_SUM = 5;
  private static final double NANOS_PER_LAUNCH = 4000;

  /**
   * Lowest bit of the column's number in a node: above the child's, and fit for the largest tile.
   */
  static int columnPosition(int treeBytes) {
    return Math.max(Integer.numberOfTrailingZeros(treeBytes), MAX_ROW_SHIFT);
  }

  /** The cheapest plan for so many documents. */
  static WalkPlan of(DeviceShape device, int documents, int trees, int columns, int treeBytes) {
    WalkPlan best = null;
    double least = 0;
    for (int rowShift = MAX_ROW_SHIFT; rowShift >= MIN_ROW_SHIFT; rowShift--) {
      int tileShift = rowShift - WORD_SHIFT;
      for (int waves = 0; waves <= MAX_WAVES; waves++) {
        int gridY = waves * device.multiprocessors() / tiles(documents, tileShift);
        WalkPlan plan = cut(device, trees, columns, treeBytes, tileShift, Math.max(1, gridY));
        double nanos = plan.nanos(device, documents, trees, treeBytes);
        if (best == null || nanos < least) {
          best = plan;
          least = nanos;
        }
      }
    }
    if (best == null) {
      throw new IllegalStateException("no tile");
    }
    return best;
  }

  /** The plan with given tiles and about as many runs of trees. */
  private static WalkPlan cut(
      DeviceShape device, int trees, int columns, int treeBytes, int tileShift, int runs) {
    int groups = THREADS >> tileShift;
    int round = groups * UNROLL;
    int stage = 2 * round * Double.BYTES << tileShift;
    int sums = Double.BYTES << tileShift;
    long ranks = (long) columns * Integer.BYTES << tileShift;
    long nodes = 2L * round * treeBytes;
    long room = device.sharedBytesPerBlock() - stage - sums - treeBytes;
    boolean sharedRanks = ranks <= room;
    boolean sharedNodes = nodes <= (sharedRanks ? room - ranks : room);
    // A node's address is its tree's with bits set, so trees must stand at multiples of their size.
    long nodesAt = sharedRanks ? (ranks + treeBytes - 1) / treeBytes * treeBytes : 0;
    long stageAt = nodesAt + (sharedNodes ? nodes : 0);
    int rounds = (trees + round - 1) / round;
    int roundsPerBlock = (rounds + runs - 1) / runs;
    int gridY = (rounds + roundsPerBlock - 1) / roundsPerBlock;
    return new WalkPlan(
        tileShift,
        groups,
        columnPosition(treeBytes) != tileShift + WORD_SHIFT,
        sharedRanks,
        sharedNodes,
        gridY == 1 ? trees : roundsPerBlock * round,
        gridY,
        (int) nodesAt,
        (int) stageAt,
        (int) stageAt + stage,
        (int) stageAt + stage + sums);
  }

  private static int tiles(int documents, int tileShift) {
    return (documents + (1 << tileShift) - 1) >> tileShift;
  }

  /** Estimated time of a batch; infinite where leaf values would take too much memory. */
  private double nanos(DeviceShape device, int documents, int trees, int treeBytes) {
    double values = (double) documents * trees * Double.BYTES;
    if (split() && (values > MAX_SPLIT_BYTES || gridY > 65_535)) {
      return Double.POSITIVE_INFINITY;
    }
    double blocks = (double) tiles(documents) * gridY;
    double walks = (double) treesPerBlock * (1 << tileShift);
    double penalty = sharedRanks && sharedNodes ? 1 : GLOBAL_PENALTY;
    penalty *= shifted ? SHIFT_PENALTY : 1;
    double busiest = Math.ceil(blocks / device.multiprocessors());
    double walking = busiest * walks * NANOS_PER_WALK * penalty;
    // Nodes, and about as many bytes of leaf values.
    double fetching =
        blocks * treesPerBlock * 2 * treeBytes / device.multiprocessors() / CACHE_BYTES_PER_NANO;
    double summing =
        split()
            ? NANOS_PER_LAUNCH
                + trees * NANOS_PER_SUM
                + 2 * values / device.multiprocessors() / MEMORY_BYTES_PER_NANO
            : 0;
    return Math.max(walking, fetching) + FETCH_NOT_HIDDEN * fetching + summing;
  }

  int tiles(int documents) {
    return tiles(documents, tileShift);
  }

  int threads() {
    return groups << tileShift;
  }

  /** Whether a second kernel makes the sums. */
  boolean split() {
    return gridY > 1;
  }

  /** log2 of the bytes of a row of ranks in shared memory. */
  int rowShift() {
    return tileShift + WORD_SHIFT;
  }

  String kernel() {
    if (sharedRanks && sharedNodes) {
      return shifted ? "walkShifted" : "walkShared";
    }
    if (sharedRanks) {
      return "walkLargeTrees";
    }
    return sharedNodes ? "walkManyColumns" : "walkLarge";
  }
}
