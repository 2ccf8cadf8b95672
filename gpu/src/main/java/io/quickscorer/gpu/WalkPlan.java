package io.quickscorer.gpu;

/**
 * How one batch of the quantised traversal is cut: tiles of documents over gridX, runs of trees
 * over gridY, and within a block of threads, groups that walk different trees of a round for the
 * same documents.
 *
 * <p>The more documents share a tile, the less often nodes travel to shared memory; the fewer, the
 * more blocks there are to fill the device. Where even the smallest tiles leave multiprocessors
 * idle, trees are split over blocks, whose leaf values a second kernel adds in tree order.
 *
 * @param tileShift log2 of the documents of a tile
 * @param groups threads per document
 * @param sharedRanks whether the tile's ranks lie in shared memory
 * @param sharedNodes whether nodes are copied to shared memory, a round at a time
 * @param treesPerBlock trees of one block of threads; a multiple of a round unless it is all
 * @param gridY runs of trees
 * @param nodesAt offset of the nodes in shared memory, and so on
 */
record WalkPlan(
    int tileShift,
    int groups,
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
  static final int MOST_ROW_SHIFT = 10;

  private static final int LEAST_ROW_SHIFT = 7;
  private static final int WORD_SHIFT = 2;
  private static final int THREADS = 512;

  /** Rounds a block must have for the loading of its ranks to pay. */
  private static final int LEAST_ROUNDS = 8;

  /** Blocks per multiprocessor a plan aims at. */
  private static final int WAVE = 2;

  /** The plan for so many documents. */
  static WalkPlan of(DeviceShape device, int documents, int trees, int columns, int treeBytes) {
    WalkPlan best = of(device, documents, trees, columns, treeBytes, MOST_ROW_SHIFT - WORD_SHIFT);
    for (int rowShift = MOST_ROW_SHIFT - 1; rowShift >= LEAST_ROW_SHIFT; rowShift--) {
      WalkPlan plan = of(device, documents, trees, columns, treeBytes, rowShift - WORD_SHIFT);
      if (plan.better(best, device, documents)) {
        best = plan;
      }
    }
    return best;
  }

  /** Shared memory first, then a full device, then large tiles. */
  private boolean better(WalkPlan larger, DeviceShape device, int documents) {
    if (sharedRanks != larger.sharedRanks) {
      return sharedRanks;
    }
    if (sharedNodes != larger.sharedNodes) {
      return sharedNodes;
    }
    return larger.tiles(documents) < WAVE * device.multiprocessors()
        && tiles(documents) > larger.tiles(documents);
  }

  /** The plan with a given tile. */
  static WalkPlan of(
      DeviceShape device, int documents, int trees, int columns, int treeBytes, int tileShift) {
    int groups = THREADS >> tileShift;
    int round = groups * UNROLL;
    int stage = 2 * round * Double.BYTES << tileShift;
    int sums = Double.BYTES << tileShift;
    long ranks = (long) columns * Integer.BYTES << tileShift;
    long nodes = 2L * round * treeBytes;
    long room = device.sharedBytesPerBlock() - stage - sums - treeBytes;
    boolean sharedRanks = ranks <= room;
    long left = sharedRanks ? room - ranks : room;
    boolean sharedNodes = nodes <= left;
    // A node's address is its tree's with bits set, so trees must stand at multiples of their size.
    long nodesAt = sharedRanks ? (ranks + treeBytes - 1) / treeBytes * treeBytes : 0;
    long stageAt = nodesAt + (sharedNodes ? nodes : 0);
    stageAt = (stageAt + 127) / 128 * 128;
    int tiles = (documents + (1 << tileShift) - 1) >> tileShift;
    int rounds = (trees + round - 1) / round;
    int wanted = (WAVE * device.multiprocessors() + tiles - 1) / tiles;
    int gridY = Math.clamp(Math.min(wanted, rounds / LEAST_ROUNDS), 1, 65_535);
    int roundsPerBlock = (rounds + gridY - 1) / gridY;
    gridY = (rounds + roundsPerBlock - 1) / roundsPerBlock;
    return new WalkPlan(
        tileShift,
        groups,
        sharedRanks,
        sharedNodes,
        gridY == 1 ? trees : roundsPerBlock * round,
        gridY,
        (int) nodesAt,
        (int) stageAt,
        (int) stageAt + stage,
        (int) stageAt + stage + sums);
  }

  int tiles(int documents) {
    return (documents + (1 << tileShift) - 1) >> tileShift;
  }

  int threads() {
    return groups << tileShift;
  }

  /** Whether a second kernel makes the sums. */
  boolean split() {
    return gridY > 1;
  }

  String kernel() {
    if (sharedRanks) {
      return sharedNodes ? "walkShared" : "walkLargeTrees";
    }
    return sharedNodes ? "walkManyColumns" : "walkLarge";
  }
}
