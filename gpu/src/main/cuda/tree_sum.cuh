// Sums of leaf values in tree order, which makes the scores bit-identical to the CPU's.
#pragma once
#include "device.cuh"

// The way of adding leaf values; the numbers are the ordinals of LeafSum.java.
constexpr int SUM_DOUBLE = 0;   // double
constexpr int SUM_ROUNDED = 1;  // double, rounded to float after each tree
constexpr int SUM_FLOAT = 2;    // float; the leaves and the initial score are floats

__device__ inline double plus(double sum, double leaf) {
  return __dadd_rn(sum, leaf);
}

__device__ inline float plus(float sum, float leaf) {
  return __fadd_rn(sum, leaf);
}

/**
 * Returns a sum plus count leaf values, which are stride elements apart. AHEAD values are read before
 * they are needed, because a read takes longer than an addition.
 */
template <int AHEAD, typename Value>
__device__ inline Value addLeaves(Value sum, const Value* leaf, int stride, int count, int mode) {
  if (mode == SUM_ROUNDED) {
#pragma unroll 1
    for (int i = 0; i < count; i++) {
      sum = static_cast<Value>(static_cast<float>(plus(sum, leaf[i * stride])));
    }
    return sum;
  }
  const Value* end = leaf + count / AHEAD * AHEAD * stride;
  if (leaf < end) {
    Value next[AHEAD];
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
      next[k] = leaf[k * stride];
    }
#pragma unroll 1
    for (leaf += AHEAD * stride; leaf < end; leaf += AHEAD * stride) {
      Value now[AHEAD];
#pragma unroll
      for (int k = 0; k < AHEAD; k++) {
        now[k] = next[k];
        next[k] = leaf[k * stride];
      }
#pragma unroll
      for (int k = 0; k < AHEAD; k++) {
        sum = plus(sum, now[k]);
      }
    }
#pragma unroll
    for (int k = 0; k < AHEAD; k++) {
      sum = plus(sum, next[k]);
    }
  }
#pragma unroll 1
  for (int i = 0; i < count % AHEAD; i++) {
    sum = plus(sum, leaf[i * stride]);
  }
  return sum;
}

constexpr int SUM_LOADERS = 256;
constexpr int SUM_THREADS = SUM_LOADERS + WARP;
constexpr int SUM_TREES = 64;
constexpr int SUM_PITCH = WARP + 1;  // avoids that a column of the tile is in a single memory bank
constexpr int SUM_TILES = 4;         // one tile is added while the others are copied

struct SumParams {
  const void* values;       // the leaf value of each document and tree: floats for SUM_FLOAT, otherwise doubles
  double* sums;             // [document]
  double initial;
  int64_t treeStride;       // distance between values of neighbouring trees; this or documentStride is 1
  int64_t documentStride;
  int32_t documents;
  int32_t trees;
  int32_t mode;
  int32_t padding;
};

/** Copies one thread's share of the values of all tiles; in each tile, they are a fixed distance apart. */
template <typename Value>
struct TileLoader {
  const Value* from;
  int64_t fromStep;
  int64_t fromTile;  // distance between two tiles
  int to;
  int toStep;
  int document;      // document of the first value; documentStep, tree and treeStep likewise
  int documentStep;
  int tree;
  int treeStep;

  __device__ inline TileLoader(const SumParams& p, int firstDocument) {
    const int thread = threadIdx.x;
    // Neighbouring threads read neighbouring values in either layout.
    const bool byTree = p.documentStride == 1;
    const int d = byTree ? thread % WARP : thread / SUM_TREES;
    documentStep = byTree ? 0 : SUM_LOADERS / SUM_TREES;
    tree = byTree ? thread / WARP : thread % SUM_TREES;
    treeStep = byTree ? SUM_LOADERS / WARP : 0;
    document = firstDocument + d;
    from = static_cast<const Value*>(p.values) + tree * p.treeStride + document * p.documentStride;
    fromStep = treeStep * p.treeStride + documentStep * p.documentStride;
    fromTile = SUM_TREES * p.treeStride;
    to = tree * SUM_PITCH + d;
    toStep = treeStep * SUM_PITCH + documentStep;
  }

  /** Copies the next tile. */
  __device__ inline void load(const SumParams& p, Value* tile) {
#pragma unroll
    for (int k = 0; k < SUM_TREES * WARP / SUM_LOADERS; k++) {
      if (tree + k * treeStep < p.trees && document + k * documentStep < p.documents) {
        copyAsync(tile + to + k * toStep, from + k * fromStep);
      }
    }
    endCopyGroup();
    tree += SUM_TREES;
    from += fromTile;
  }
};

template <typename Value>
__device__ inline void sumTiles(const SumParams& p) {
  constexpr int TILE = SUM_TREES * SUM_PITCH;
  Value* tiles = reinterpret_cast<Value*>(dynamicShared());
  const int first = blockIdx.x * WARP;
  const int lane = static_cast<int>(threadIdx.x) - SUM_LOADERS;  // 0 or more in the adding warp
  TileLoader<Value> loader(p, first);
  Value sum = static_cast<Value>(p.initial);
  if (lane < 0) {
    for (int ahead = 0; ahead < SUM_TILES - 1; ahead++) {
      loader.load(p, tiles + ahead * TILE);
    }
  }
  int current = 0;
  for (int tree = 0; tree < p.trees; tree += SUM_TREES) {
    waitForCopyGroups<SUM_TILES - 2>();
    // After this barrier, the tile is in shared memory, and the previous one has been added.
    __syncthreads();
    if (lane < 0) {
      loader.load(p, tiles + (current == 0 ? SUM_TILES - 1 : current - 1) * TILE);
    } else {
      sum = addLeaves<16>(sum, tiles + current * TILE + lane, SUM_PITCH, min(SUM_TREES, p.trees - tree),
                          p.mode);
    }
    current = current + 1 == SUM_TILES ? 0 : current + 1;
  }
  waitForCopies();
  if (lane >= 0 && first + lane < p.documents) {
    p.sums[first + lane] = sum;
  }
}

/** Computes the sums of WARP documents (blockIdx.x): the last warp adds while the others copy tiles. */
extern "C" __global__ void __launch_bounds__(SUM_THREADS)
    sumLeaves(const __grid_constant__ SumParams p) {
  if (p.mode == SUM_FLOAT) {
    sumTiles<float>(p);
  } else {
    sumTiles<double>(p);
  }
}
