// Quantised traversal: every document of a tile walks every tree over ranks instead of floats, with the
// tile's ranks and the trees' nodes in shared memory. See docs/kernels.md for layouts and counts.
#pragma once
#include "device.cuh"
#include "tree_sum.cuh"

/** Trees a thread walks at once: independent chains of loads that hide each other's latency. */
constexpr int UNROLL = 4;

/** Steps after which deep trees look whether all lanes have arrived. */
constexpr int STEPS_PER_VOTE = 16;

/** The form of the nodes and so of a step. */
enum class Step {
  PLAIN,    // a column's number stands where its row's byte offset has it
  SHIFTED,  // it must be shifted there
  LEVEL,    // likewise, and a node is a level of an oblivious tree
};

struct WalkParams {
  const uint32_t* ranks;      // [column][documentStride], shifted to the node's threshold field
  const uint32_t* nodes;      // [tree][treeBytes / 4]
  const int32_t* leafBase;    // [tree]: a leaf at word w of the tree has value leaves[leafBase + w]
  const int32_t* steps;       // [tree / UNROLL]: the deepest tree's depth; rounded up to a multiple of 2 levels
  const void* leaves;         // floats for SUM_FLOAT, else doubles
  void* values;               // likewise: [tree][documentStride], or null where sums are made here
  double* sums;               // [document]
  double initial;
  int32_t documents;
  int32_t documentStride;
  int32_t columns;
  int32_t trees;
  int32_t treesPerBlock;      // trees of one blockIdx.y; a multiple of a round
  int32_t treeBytes;          // a power of two
  int32_t tileShift;          // log2 of the documents of a tile
  int32_t groups;             // threads per document
  uint32_t columnShift;       // brings a node's column number to the place of a row's byte offset, ...
  uint32_t columnMask;        // ... which this leaves; where ranks are not shared, to bit 0
  uint32_t childMask;         // of the left child's byte offset in the tree
  uint32_t thresholdUnit;     // 1 in the threshold field
  uint32_t nodesAt;           // byte offsets in shared memory: two buffers of nodes,
  uint32_t stageAt;           // two of leaf values,
  uint32_t sumsAt;            // the documents' sums
  int32_t mode;
};

/** Copies a round of trees to one of the two buffers. */
__device__ inline void fetchNodes(const WalkParams& p, char* shared, int tree, int count, int buffer) {
  const int round = p.groups * UNROLL;
  char* to = shared + p.nodesAt + static_cast<size_t>(buffer) * round * p.treeBytes;
  const char* from = reinterpret_cast<const char*>(p.nodes) + static_cast<size_t>(tree) * p.treeBytes;
  for (int i = threadIdx.x * 16; i < count * p.treeBytes; i += blockDim.x * 16) {
    copyAsync16(to + i, from + i);
  }
}

/** Copies the tile's ranks; behind waitForCopies and a barrier they are there. */
__device__ inline void fetchRanks(const WalkParams& p, uint32_t* tile) {
  constexpr int EACH = 4;
  const int first = blockIdx.x << p.tileShift;
  for (int i = threadIdx.x * EACH; i < p.columns << p.tileShift; i += blockDim.x * EACH) {
    const int document = first + (i & ((1 << p.tileShift) - 1));
    const uint32_t* from = p.ranks + static_cast<size_t>(i >> p.tileShift) * p.documentStride + document;
    if (document + EACH <= p.documents) {
      copyAsync16(tile + i, from);
    } else {
      // A rank that leads to a leaf stands for documents that there are not.
      for (int k = 0; k < EACH; k++) {
        tile[i + k] = document + k < p.documents ? from[k] : p.thresholdUnit;
      }
    }
  }
}

/** A leaf's threshold field is all ones (it leads to itself on the left) or zero (on the right). */
__device__ inline bool isLeaf(uint32_t node, uint32_t unit) {
  return node + unit < 2 * unit;
}

/** The rank that a node asks for. */
template <bool SHARED_RANKS, Step STEP>
__device__ inline uint32_t rankFor(const WalkParams& p, const char* ranks, uint32_t lane, uint32_t node) {
  const uint32_t column = (STEP == Step::PLAIN ? node : node >> p.columnShift) & p.columnMask;
  return *reinterpret_cast<const uint32_t*>(
      ranks + (SHARED_RANKS ? static_cast<size_t>(column | lane)
                            : static_cast<size_t>(column) * p.documentStride * 4 + lane));
}

/**
 * Walks UNROLL trees for one document. A child's place is the node's left child, one word further
 * when the rank exceeds the threshold; leaves lead to themselves, so that all lanes take equally
 * many steps and no branch diverges. Comparing whole words compares the thresholds: they lie in the
 * top bits, and a rank has zeros below.
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
 * no level waits for another. A level has its threshold's complement, so that a sum with a greater rank
 * overflows. A tree with fewer levels than there are steps begins with levels that give 0.
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

/** Puts a round's leaf values of this thread where they are added. */
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
 * blockIdx.x: tile of documents; blockIdx.y: run of trees. Threads of one document walk different
 * trees of a round. The round's leaf values are loaded while the next round is walked, and then lie
 * in shared memory; in the round after that, one group of threads adds them, in tree order, while
 * all walk on.
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
  const int staged = round << p.tileShift;  // from one buffer to the other
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
    // Behind this barrier: the round's nodes are here, those of the former round are no longer read,
    // and the leaves of the round before that are staged.
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
  // The buffer that gets the last round's leaves has been read.
  __syncthreads();
  putLeaves(p, leaf, last + group * UNROLL, end, document, mineStaged + (buffer ^ 1) * staged);
  __syncthreads();
  if (sumsHere && group == 0 && document < p.documents) {
    // The last round but one, if there is one, and the last.
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

/** Most threads of a block; WalkPlan.java takes fewer where that suits a batch. */
constexpr int WALK_THREADS = 1024;

/** Ranks and nodes in shared memory, and a column's number where its row's offset has it. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkShared(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::PLAIN>(p);
}

/** The same with another tile or larger trees, so that the number must be shifted there. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkShifted(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::SHIFTED>(p);
}

/** Trees too large for two rounds of them in shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkLargeTrees(const __grid_constant__ WalkParams p) {
  walkTrees<true, false, Step::SHIFTED>(p);
}

/** Too many columns for shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkManyColumns(const __grid_constant__ WalkParams p) {
  walkTrees<false, true, Step::SHIFTED>(p);
}

/** Oblivious trees. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkOblivious(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, Step::LEVEL>(p);
}

/** Oblivious trees and too many columns for shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 1)
    walkObliviousManyColumns(const __grid_constant__ WalkParams p) {
  walkTrees<false, true, Step::LEVEL>(p);
}

/** Threads of a block of walkLarge: the registers of more would not hold what it has. */
constexpr int WALK_LARGE_THREADS = 512;

/** Both too large. */
extern "C" __global__ void __launch_bounds__(WALK_LARGE_THREADS, 1)
    walkLarge(const __grid_constant__ WalkParams p) {
  walkTrees<false, false, Step::SHIFTED>(p);
}
