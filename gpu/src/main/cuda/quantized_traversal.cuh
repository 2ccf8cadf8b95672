// Quantised traversal: every document of a tile walks every tree over ranks instead of floats, with the
// tile's ranks and the trees' nodes in shared memory. See docs/kernels.md for layouts and counts.
#pragma once
#include "device.cuh"
#include "tree_sum.cuh"

/** Trees a thread walks at once: independent chains of loads that hide each other's latency. */
constexpr int UNROLL = 4;

/** Steps after which deep trees look whether all lanes have arrived. */
constexpr int STEPS_PER_VOTE = 16;

struct WalkParams {
  const uint32_t* ranks;      // [column][documentStride], shifted to the node's threshold field
  const uint32_t* nodes;      // [tree][treeBytes / 4]
  const int32_t* leafBase;    // [tree]: a leaf at word w of the tree has value leaves[leafBase + w]
  const int32_t* steps;       // [tree / UNROLL]: the deepest tree's depth
  const double* leaves;
  double* values;             // [tree][documentStride], or null where sums are made here
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

__device__ inline void loadRanks(const WalkParams& p, uint32_t* tile) {
  const int first = blockIdx.x << p.tileShift;
  for (int i = threadIdx.x; i < p.columns << p.tileShift; i += blockDim.x) {
    int document = first + (i & ((1 << p.tileShift) - 1));
    tile[i] = document < p.documents
                  ? p.ranks[static_cast<size_t>(i >> p.tileShift) * p.documentStride + document]
                  : p.thresholdUnit;
  }
}

/** A leaf's threshold field is all ones (it leads to itself on the left) or zero (on the right). */
__device__ inline bool isLeaf(uint32_t node, uint32_t unit) {
  return node + unit < 2 * unit;
}

/**
 * Walks UNROLL trees for one document. A child's place is the node's left child, one word further
 * when the rank exceeds the threshold; leaves lead to themselves, so that all lanes take equally
 * many steps and no branch diverges. Comparing whole words compares the thresholds: they lie in the
 * top bits, and a rank has zeros below.
 */
template <bool SHARED_RANKS, bool SHIFTED>
__device__ inline void walkBatch(const WalkParams& p, const char* ranks, uint32_t lane,
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
        uint32_t column = (SHIFTED ? node[u] >> p.columnShift : node[u]) & p.columnMask;
        uint32_t rank = *reinterpret_cast<const uint32_t*>(
            ranks + (SHARED_RANKS ? static_cast<size_t>(column | lane)
                                  : static_cast<size_t>(column) * p.documentStride * 4 + lane));
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

/**
 * blockIdx.x: tile of documents; blockIdx.y: run of trees. Threads of one document walk different
 * trees of a round; the round's leaf values then lie in shared memory, and in the next round one
 * group of threads adds them, in tree order, while all walk on.
 */
template <bool SHARED_RANKS, bool SHARED_NODES, bool SHIFTED>
__device__ inline void walkTrees(const WalkParams& p) {
  char* shared = dynamicShared();
  const int tile = 1 << p.tileShift;
  const int inTile = threadIdx.x & (tile - 1);
  const int group = threadIdx.x >> p.tileShift;
  const int document = (blockIdx.x << p.tileShift) + inTile;
  const int round = p.groups * UNROLL;
  const int first = blockIdx.y * p.treesPerBlock;
  const int end = min(first + p.treesPerBlock, p.trees);
  const bool sumsHere = p.values == nullptr;
  double* stage = reinterpret_cast<double*>(shared + p.stageAt) + inTile;
  double* sums = reinterpret_cast<double*>(shared + p.sumsAt) + inTile;
  if (SHARED_RANKS) {
    loadRanks(p, reinterpret_cast<uint32_t*>(shared));
  }
  if (group == 0) {
    *sums = p.initial;
  }
  const char* ranks = SHARED_RANKS ? shared : reinterpret_cast<const char*>(p.ranks);
  const uint32_t lane = 4 * (SHARED_RANKS ? inTile : min(document, p.documents - 1));
  if (SHARED_NODES) {
    fetchNodes(p, shared, first, min(round, end - first), 0);
  }
  int turn = 0;
  int buffer = 0;
  for (int start = first; start < end; start += round, buffer ^= 1) {
    if (SHARED_NODES) {
      waitForCopies();
    }
    // Behind this barrier: the round's nodes are here, the former round's leaves are staged and its
    // nodes are no longer read.
    __syncthreads();
    const int next = start + round;
    if (SHARED_NODES && next < end) {
      fetchNodes(p, shared, next, min(round, end - next), buffer ^ 1);
    }
    if (sumsHere && start > first && group == turn) {
      *sums = addLeaves(*sums, stage + (buffer ^ 1) * (round << p.tileShift), tile, round, p.mode);
    }
    turn = turn + 1 == p.groups ? 0 : turn + 1;

    const int mine = start + group * UNROLL;
    if (mine < end) {
      uint32_t base[UNROLL];
      uint32_t at[UNROLL];
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        int tree = min(mine + u, end - 1);
        base[u] = SHARED_NODES
                      ? p.nodesAt + (buffer * round + tree - start) * p.treeBytes
                      : static_cast<uint32_t>(tree) * p.treeBytes;
      }
      walkBatch<SHARED_RANKS, SHIFTED>(p, ranks, lane,
                              SHARED_NODES ? shared : reinterpret_cast<const char*>(p.nodes), base,
                              p.steps[mine / UNROLL], at);
#pragma unroll
      for (int u = 0; u < UNROLL; u++) {
        int tree = mine + u;
        if (tree < end) {
          double leaf = p.leaves[p.leafBase[tree] + static_cast<int>((at[u] - base[u]) >> 2)];
          if (sumsHere) {
            stage[(buffer * round + tree - start) << p.tileShift] = leaf;
          } else if (document < p.documents) {
            p.values[static_cast<size_t>(tree) * p.documentStride + document] = leaf;
          }
        }
      }
    }
  }
  __syncthreads();
  if (sumsHere && group == 0 && document < p.documents) {
    const int last = first + (end - first - 1) / round * round;
    p.sums[document] =
        addLeaves(*sums, stage + (buffer ^ 1) * (round << p.tileShift), tile, end - last, p.mode);
  }
}

constexpr int WALK_THREADS = 512;

/** Ranks and nodes in shared memory, and a column's number where its row's offset has it. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 2)
    walkShared(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, false>(p);
}

/** The same with another tile or larger trees, so that the number must be shifted there. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 2)
    walkShifted(const __grid_constant__ WalkParams p) {
  walkTrees<true, true, true>(p);
}

/** Trees too large for two rounds of them in shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 2)
    walkLargeTrees(const __grid_constant__ WalkParams p) {
  walkTrees<true, false, true>(p);
}

/** Too many columns for shared memory. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 2)
    walkManyColumns(const __grid_constant__ WalkParams p) {
  walkTrees<false, true, true>(p);
}

/** Both too large. */
extern "C" __global__ void __launch_bounds__(WALK_THREADS, 2)
    walkLarge(const __grid_constant__ WalkParams p) {
  walkTrees<false, false, true>(p);
}
