// Quantised traversal: every document of a tile walks every tree over ranks instead of floats, with the
// tile's ranks and the trees' nodes in shared memory. See docs/kernels.md for layouts and counts.
#pragma once
#include "device.cuh"
#include "tree_sum.cuh"

/** Number of trees that a thread walks at once, so that the latencies of their loads overlap. */
constexpr int UNROLL = 4;

/** Number of steps after which a warp checks whether all lanes are at their leaves. */
constexpr int STEPS_PER_VOTE = 16;

/** The form of the nodes, which determines the code of a step. */
enum class Step {
  PLAIN,    // the masked column number is the byte offset of the column's ranks
  SHIFTED,  // the column number must be shifted to get this byte offset
  LEVEL,    // as SHIFTED, and a node is a level of an oblivious tree
};

struct WalkParams {
  const uint32_t* ranks;      // [column][documentStride], shifted to the node's threshold field
  const uint32_t* nodes;      // [tree][treeBytes / 4]
  const int32_t* leafBase;    // [tree]: a leaf at word w of the tree has value leaves[leafBase + w]
  const int32_t* steps;       // [tree / UNROLL]: the deepest tree's depth; rounded up to a multiple of 2 levels
  const void* leaves;         // floats for SUM_FLOAT, otherwise doubles
  void* values;               // [tree][documentStride] as leaves, or null if this kernel computes the sums
  double* sums;               // [document]
  double initial;
  int32_t documents;
  int32_t documentStride;
  int32_t columns;
  int32_t trees;
  int32_t treesPerBlock;      // number of trees per blockIdx.y; a multiple of a round
  int32_t treeBytes;          // a power of two
  int32_t tileShift;          // log2 of the number of documents of a tile
  int32_t groups;             // number of threads per document
  uint32_t columnShift;       // shifts a node so that its column field is at a row's byte offset (or at bit 0)
  uint32_t columnMask;        // selects the column field after the shift; bit 0 if ranks are not shared
  uint32_t childMask;         // selects the left child's byte offset in the tree
  uint32_t thresholdUnit;     // 1 in the threshold field
  uint32_t nodesAt;           // byte offset in shared memory of the two buffers of nodes
  uint32_t stageAt;           // byte offset of the two buffers of leaf values
  uint32_t sumsAt;            // byte offset of the documents' sums
  int32_t mode;
};

/** Starts to copy the nodes of a round of trees to one of the two buffers. */
__device__ inline void fetchNodes(const WalkParams& p, char* shared, int tree, int count, int buffer) {
  const int round = p.groups * UNROLL;
  char* to = shared + p.nodesAt + static_cast<size_t>(buffer) * round * p.treeBytes;
  const char* from = reinterpret_cast<const char*>(p.nodes) + static_cast<size_t>(tree) * p.treeBytes;
  for (int i = threadIdx.x * 16; i < count * p.treeBytes; i += blockDim.x * 16) {
    copyAsync16(to + i, from + i);
  }
}

/** Starts to copy the tile's ranks, which can be read after waitForCopies and a barrier. */
__device__ inline void fetchRanks(const WalkParams& p, uint32_t* tile) {
  constexpr int EACH = 4;
  const int first = blockIdx.x << p.tileShift;
  for (int i = threadIdx.x * EACH; i < p.columns << p.tileShift; i += blockDim.x * EACH) {
    const int document = first + (i & ((1 << p.tileShift) - 1));
    const uint32_t* from = p.ranks + static_cast<size_t>(i >> p.tileShift) * p.documentStride + document;
    if (document + EACH <= p.documents) {
      copyAsync16(tile + i, from);
    } else {
      // Missing documents get a rank that leads to some leaf.
      for (int k = 0; k < EACH; k++) {
        tile[i + k] = document + k < p.documents ? from[k] : p.thresholdUnit;
      }
    }
  }
}

/** Returns whether a node is a leaf: the threshold field has all bits set (left) or is 0 (right). */
__device__ inline bool isLeaf(uint32_t node, uint32_t unit) {
  return node + unit < 2 * unit;
}

/** Returns the document's rank in a node's column. */
template <bool SHARED_RANKS, Step STEP>
__device__ inline uint32_t rankFor(const WalkParams& p, const char* ranks, uint32_t lane, uint32_t node) {
  const uint32_t column = (STEP == Step::PLAIN ? node : node >> p.columnShift) & p.columnMask;
  return *reinterpret_cast<const uint32_t*>(
      ranks + (SHARED_RANKS ? static_cast<size_t>(column | lane)
                            : static_cast<size_t>(column) * p.documentStride * 4 + lane));
}

/**
 * Walks UNROLL trees for one document. The next node is the left child, or the word after it if the
 * rank exceeds the threshold. Leaves lead to themselves, so that all lanes take equally many steps
 * and no branch diverges. A comparison of whole words compares the thresholds, because these are in
 * the highest bits, and a rank has zeros below.
 */
template <bool SHARED_RANKS, Step STEP>
__device__ inline void walkNodes(const WalkParams& p, const char* ranks, uint32_t lane,
                                 const char* nodes, const uint32_t* base, int steps, uint32_t* at) {
  uint32_t node[UNROLL];
#pragma unroll
  for (int u = 0; u < UNROLL; u++) {
    at[u] = base[u];
    node[u] = *reinterpret_cast<const uint32_t*>(nodes + at[u]);
  }
  for (int done = 0; done < steps; done += STEPS_PER_VOTE) {
    const int burst = min(STEPS_PER_VOTE, steps - done);
#pragma unroll 2
    for (int step = 0; step < burst; step++) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        uint32_t rank = rankFor<SHARED_RANKS, STEP>(p, ranks, lane, node[u]);
        at[u] = (node[u] & p.childMask) | (rank > node[u] ? base[u] + 4 : base[u]);
        node[u] = *reinterpret_cast<const uint32_t*>(nodes + at[u]);
      }
    }
    bool arrived = true;
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      arrived &= isLeaf(node[u], p.thresholdUnit);
    }
    if (done + STEPS_PER_VOTE < steps && __all_sync(ALL_LANES, arrived)) {
      break;
    }
  }
}

/** Two levels of an oblivious tree, the upper one first. */
struct alignas(8) TwoLevels {
  uint32_t upper, lower;
};

/**
 * Finds the leaves of UNROLL oblivious trees for one document: a leaf's number has a bit for each level, and
 * the levels do not depend on each other. A level contains its threshold's complement, so that the sum with a
 * greater rank overflows. A tree with fewer levels than steps begins with levels that add a 0 bit.
 */
template <bool SHARED_RANKS>
__device__ inline void walkLevels(const WalkParams& p, const char* ranks, uint32_t lane,
                                  const char* nodes, const uint32_t* base, int steps, uint32_t* at) {
  uint32_t leaf[UNROLL] = {};
#pragma unroll SHARED_RANKS ? 2 : 1
  for (int step = 0; step < steps; step += 2) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      const TwoLevels two = *reinterpret_cast<const TwoLevels*>(nodes + base[u] + step * 4);
      const uint32_t upper = rankFor<SHARED_RANKS, Step::LEVEL>(p, ranks, lane, two.upper);
      const uint32_t lower = rankFor<SHARED_RANKS, Step::LEVEL>(p, ranks, lane, two.lower);
      leaf[u] = shiftInCarry(shiftInCarry(leaf[u], upper, two.upper), lower, two.lower);
    }
  }
#pragma unroll
  for (int u = 0; u < UNROLL; u++) {
    at[u] = base[u] + 4 * leaf[u];
  }
}

template <bool SHARED_RANKS, Step STEP>
__device__ inline void walkBatch(const WalkParams& p, const char* ranks, uint32_t lane,
                                 const char* nodes, const uint32_t* base, int steps, uint32_t* at) {
  if (STEP == Step::LEVEL) {
    walkLevels<SHARED_RANKS>(p, ranks, lane, nodes, base, steps, at);
  } else {
    walkNodes<SHARED_RANKS, STEP>(p, ranks, lane, nodes, base, steps, at);
  }
}

/** Stores the leaf values that this thread found in a round. */
template <typename Value>
__device__ inline void putLeaves(const WalkParams& p, const Value* leaf, int mine, int end, int document,
                                 Value* stage) {
#pragma unroll
  for (int u = 0; u < UNROLL; u++) {
    if (mine + u < end) {
      if (p.values == nullptr) {
        stage[u << p.tileShift] = leaf[u];
      } else if (document < p.documents) {
        static_cast<Value*>(p.values)[static_cast<size_t>(mine + u) * p.documentStride + document] = leaf[u];
      }
    }
  }
}

/**
 * Walks a tile of documents (blockIdx.x) through a run of trees (blockIdx.y). The threads of one document
 * walk different trees of a round. The leaf values of a round are loaded while the next round is walked,
 * and are then stored in shared memory. In the round after that, one group of threads adds them in tree
 * order before it walks on.
 */
template <typename Value, bool SHARED_RANKS, bool SHARED_NODES, Step STEP>
__device__ inline void walkRounds(const WalkParams& p) {
  char* shared = dynamicShared();
  const int tile = 1 << p.tileShift;
  const int inTile = threadIdx.x & (tile - 1);
  const int group = threadIdx.x >> p.tileShift;
  const int document = (blockIdx.x << p.tileShift) + inTile;
  const int round = p.groups * UNROLL;
  const int first = blockIdx.y * p.treesPerBlock;
  const int end = min(first + p.treesPerBlock, p.trees);
  const bool sumsHere = p.values == nullptr;
  const Value* leaves = static_cast<const Value*>(p.leaves);
  Value* stage = reinterpret_cast<Value*>(shared + p.stageAt) + inTile;
  Value* mineStaged = stage + (group * UNROLL << p.tileShift);
  const int staged = round << p.tileShift;  // distance between the two buffers
  Value* sums = reinterpret_cast<Value*>(shared + p.sumsAt) + inTile;
  if (SHARED_RANKS) {
    fetchRanks(p, reinterpret_cast<uint32_t*>(shared));
  }
  if (group == 0) {
    *sums = static_cast<Value>(p.initial);
  }
  const char* ranks = SHARED_RANKS ? shared : reinterpret_cast<const char*>(p.ranks);
  const uint32_t lane = 4 * (SHARED_RANKS ? inTile : min(document, p.documents - 1));
  if (SHARED_NODES) {
    fetchNodes(p, shared, first, min(round, end - first), 0);
  }
  Value leaf[UNROLL];
  int nextSteps = p.steps[min(first + group * UNROLL, end - 1) / UNROLL];
  int turn = 0;
  int buffer = 0;
  int start = first;
  for (; start < end; start += round, buffer ^= 1) {
    waitForCopies();
    // After this barrier, the round's nodes are in shared memory, the nodes of the previous round are no
    // longer read, and the leaf values of the round before that are in shared memory.
    __syncthreads();
    const int next = start + round;
    if (SHARED_NODES && next < end) {
      fetchNodes(p, shared, next, min(round, end - next), buffer ^ 1);
    }
    if (sumsHere && start - round > first && group == turn) {
      *sums = addLeaves<UNROLL>(*sums, stage + buffer * staged, tile, round, p.mode);
    }
    turn = turn + 1 == p.groups ? 0 : turn + 1;

    const int mine = start + group * UNROLL;
    const int steps = nextSteps;
    nextSteps = p.steps[min(mine + round, end - 1) / UNROLL];
    uint32_t base[UNROLL];
    uint32_t at[UNROLL];
    int leafBase[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; u++) {
      int tree = min(mine + u, end - 1);
      leafBase[u] = p.leafBase[tree];
      base[u] = SHARED_NODES ? p.nodesAt + (buffer * round + tree - start) * p.treeBytes
                             : static_cast<uint32_t>(tree) * p.treeBytes;
    }
    if (mine < end) {
      walkBatch<SHARED_RANKS, STEP>(p, ranks, lane,
                                    SHARED_NODES ? shared : reinterpret_cast<const char*>(p.nodes), base,
                                    steps, at);
    }
    if (start > first) {
      putLeaves(p, leaf, mine - round, end, document, mineStaged + (buffer ^ 1) * staged);
    }
    if (mine < end) {
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        leaf[u] = leaves[leafBase[u] + static_cast<int>((at[u] - base[u]) >> 2)];
      }
    }
  }
  const int last = start - round;
  // After this barrier, the buffer for the last round's leaf values is no longer read.
  __syncthreads();
  putLeaves(p, leaf, last + group * UNROLL, end, document, mineStaged + (buffer ^ 1) * staged);
  __syncthreads();
  if (sumsHere && group == 0 && document < p.documents) {
    // Adds the last round but one, if there is one, and the last round.
    Value sum = *sums;
    for (int from = last > first ? last - round : last; from < end; from += round) {
      const Value* there = stage + (from == last ? buffer ^ 1 : buffer) * staged;
      sum = addLeaves<UNROLL>(sum, there, tile, min(round, end - from), p.mode);
    }
    p.sums[document] = sum;
  }
}

template <bool SHARED_RANKS, bool SHARED_NODES, Step STEP>
__device__ inline void walkTrees(const WalkParams& p) {
  if (p.mode == SUM_FLOAT) {
    walkRounds<float, SHARED_RANKS, SHARED_NODES, STEP>(p);
  } else {
    walkRounds<double, SHARED_RANKS, SHARED_NODES, STEP>(p);
  }
}

/** Maximum number of threads of a block; WalkPlan.java may use fewer. */
constexpr int WALK_THREADS = 1024;

/** For ranks and nodes in shared memory, if column numbers need no shift. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkShared(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::PLAIN>(p);
}

/** For ranks and nodes in shared memory, if column numbers must be shifted. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkShifted(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::SHIFTED>(p);
}

/** For trees of which two rounds do not fit shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkLargeTrees(const __grid_constant__ WalkParams p) {
  walkTrees<true, false, Step::SHIFTED>(p);
}

/** For too many columns for shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkManyColumns(const __grid_constant__ WalkParams p) {
  walkTrees<false, true, Step::SHIFTED>(p);
}

/** For oblivious trees. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkOblivious(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::LEVEL>(p);
}

/** For oblivious trees with too many columns for shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkObliviousManyColumns(const __grid_constant__ WalkParams p) {
  walkTrees<false, true, Step::LEVEL>(p);
}

/** Maximum number of threads of a block of walkLarge, limited by the number of registers. */
constexpr int WALK_LARGE_THREADS = 512;

/** For ranks and nodes that do not fit shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_LARGE_THREADS, 1)
    walkLarge(const __grid_constant__ WalkParams p) {
  walkTrees<false, false, Step::SHIFTED>(p);
}
