// Sums of leaf values in tree order: the order is what makes the score's bits the CPU's.
#pragma once
#include "device.cuh"

// The ensemble's accumulator, as LeafSum.java writes it.
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
 * Adds count leaf values, which stand stride apart, to a sum of their own type. AHEAD of them are read
 * before they are needed, as a read takes longer than an addition.
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
constexpr int SUM_PITCH = WARP + 1;  // keeps a column of the tile off one bank
constexpr int SUM_TILES = 4;         // one is added, the others are on their way

struct SumParams {
  const void* values;       // the leaf value of each document and tree: floats for SUM_FLOAT, else doubles
  double* sums;             // [document]
  double initial;
  int64_t treeStride;       // from one tree's value to the next's; 1 or documentStride is 1
  int64_t documentStride;
  int32_t documents;
  int32_t trees;
  int32_t mode;
  int32_t padding;
};

/** One thread's share of the copies of all tiles: of each tile, values a fixed distance apart. */
template <typename Value>
struct TileLoader {
  const Value* from;
  int64_t fromStep;
  int64_t fromTile;  // from one tile to the next
  int to;
  int toStep;
  int document;      // of the first value, and so on
  int documentStep;
  int tree;
  int treeStep;

  __device__ inline TileLoader(const SumParams& p, int firstDocument) {
    const int thread = threadIdx.x;
    // Neighbouring threads read neighbouring values, whichever way those lie.
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
  const int lane = static_cast<int>(threadIdx.x) - SUM_LOADERS;  // of the adding warp
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
    // Behind this barrier: the tile is here, and the former one has been added.
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

/** Sums of the WARP documents of blockIdx.x: the last warp adds while the others copy tiles ahead. */
extern "C" __global__ void __launch_bounds__(SUM_THREADS)
    sumLeaves(const __grid_constant__ SumParams p) {
  if (p.mode == SUM_FLOAT) {
    sumTiles<float>(p);
  } else {
    sumTiles<double>(p);
  }
}
