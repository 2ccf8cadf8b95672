// GPU-QuickScorer: Lettich et al., "Parallelizing the Traversal of Large Ensembles of Decision Trees",
// IEEE TPDS 30(9), 2019, section 6.3. Phase 1 (find the pivots) is rankValues over the splits of one
// tree block; this is phase 2. The paper adds the leaf values block by block. Here they are written to device
// memory, and sumLeaves adds them in tree order, because a sum in another order is rounded differently.
#pragma once
#include "device.cuh"

struct QuickScorerParams {
  const Column* columns;      // [column], of this tree block
  const uint32_t* pivots;     // [column][documentStride]: number of false nodes, first in the list
  const uint32_t* masks;      // [word][split]: 1 for leaves that remain; or [split]: cleared leaves, first | end << 16
  const uint16_t* tree;       // [split], numbered within the block
  const void* leaves;         // [tree][leavesPerTree], of this tree block, as floats or doubles
  void* values;               // [document][allTrees], as floats or doubles
  int32_t documents;
  int32_t documentStride;
  int32_t columnCount;
  int32_t splits;             // number of splits of this tree block; distance between the words of a mask
  int32_t trees;              // number of trees of this tree block
  int32_t firstTree;
  int32_t allTrees;
  int32_t leavesPerTree;
  int32_t words;              // number of words of 32 leaves per tree
  int32_t floats;             // whether leaf values are floats
};

/** Applies a mask for trees of up to 64 leaves, as published: one or two 32-bit ANDs, if they change bits. */
template <int WORDS>
__device__ inline void applyMasks(const QuickScorerParams& p, uint32_t* bits, int split) {
  const int tree = p.tree[split];
#pragma unroll
  for (int word = 0; word < WORDS; word++) {
    // Not one 64-bit AND, which would be a compare-and-swap loop on shared memory.
    uint32_t mask = p.masks[static_cast<size_t>(word) * p.splits + split];
    if (mask != ~0u) {
      atomicAnd(&bits[word * p.trees + tree], mask);
    }
  }
}

/** Applies a mask for larger trees: clears the leaf range of a false node in all words that it covers. */
template <>
__device__ inline void applyMasks<0>(const QuickScorerParams& p, uint32_t* bits, int split) {
  const int tree = p.tree[split];
  const int first = static_cast<int>(p.masks[split] & 0xffffu);
  const int end = static_cast<int>(p.masks[split] >> 16);
  for (int word = first >> 5; word <= (end - 1) >> 5; word++) {
    uint32_t from = word == first >> 5 ? ~0u << (first & 31) : ~0u;
    uint32_t to = word == (end - 1) >> 5 ? ~0u >> (31 - ((end - 1) & 31)) : ~0u;
    atomicAnd(&bits[word * p.trees + tree], ~(from & to));
  }
}

__device__ inline int exitLeaf(const QuickScorerParams& p, const uint32_t* bits, int tree) {
  int word = 0;
  while (bits[word * p.trees + tree] == 0) {
    word++;
  }
  return word * 32 + __ffs(static_cast<int>(bits[word * p.trees + tree])) - 1;
}

/** Writes the values of one document's exit leaves. */
template <typename Value>
__device__ inline void putExits(const QuickScorerParams& p, const uint32_t* bits, int document) {
  const Value* leaves = static_cast<const Value*>(p.leaves);
  Value* values = static_cast<Value*>(p.values) + static_cast<size_t>(document) * p.allTrees + p.firstTree;
#pragma unroll 4
  for (int tree = threadIdx.x; tree < p.trees; tree += blockDim.x) {
    values[tree] = leaves[static_cast<size_t>(tree) * p.leavesPerTree + exitLeaf(p, bits, tree)];
  }
}

/** Scores one document per block, with the bitvectors of all trees in shared memory and a warp per column. */
template <int WORDS>
__device__ inline void updateScores(const QuickScorerParams& p) {
  uint32_t* bits = reinterpret_cast<uint32_t*>(dynamicShared());
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;
  const int warps = blockDim.x / WARP;
  for (int document = blockIdx.x; document < p.documents; document += gridDim.x) {
    for (int i = threadIdx.x; i < p.words * p.trees; i += blockDim.x) {
      bits[i] = ~0u;
    }
    __syncthreads();
    for (int c = warp; c < p.columnCount; c += warps) {
      const int begin = p.columns[c].begin;
      const int end = begin + static_cast<int>(p.pivots[static_cast<size_t>(c) * p.documentStride + document]);
      for (int split = begin + lane; split < end; split += WARP) {
        applyMasks<WORDS>(p, bits, split);
      }
    }
    __syncthreads();
    if (p.floats) {
      putExits<float>(p, bits, document);
    } else {
      putExits<double>(p, bits, document);
    }
    __syncthreads();
  }
}

extern "C" __global__ void __launch_bounds__(1024)
    updateScores32(const __grid_constant__ QuickScorerParams p) {
  updateScores<1>(p);
}

extern "C" __global__ void __launch_bounds__(1024)
    updateScores64(const __grid_constant__ QuickScorerParams p) {
  updateScores<2>(p);
}

extern "C" __global__ void __launch_bounds__(1024)
    updateScoresWide(const __grid_constant__ QuickScorerParams p) {
  updateScores<0>(p);
}
