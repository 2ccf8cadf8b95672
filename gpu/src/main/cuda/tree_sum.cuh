// Sums of leaf values in tree order: the order is what makes the score's bits the CPU's.
#pragma once
#include "device.cuh"

// The ensemble's accumulator, as LeafSum.java writes it.
constexpr int SUM_DOUBLE = 0;   // double
constexpr int SUM_ROUNDED = 1;  // double, rounded to float after each tree
constexpr int SUM_FLOAT = 2;    // float; the leaves and the initial score are floats

/** Adds count leaf values, which stand stride apart, to a sum. */
__device__ inline double addLeaves(double sum, const double* leaf, int stride, int count, int mode) {
  if (mode == SUM_DOUBLE) {
#pragma unroll 8
    for (int i = 0; i < count; i++) {
      sum = __dadd_rn(sum, leaf[i * stride]);
    }
    return sum;
  }
  if (mode == SUM_ROUNDED) {
    for (int i = 0; i < count; i++) {
      sum = static_cast<double>(__double2float_rn(__dadd_rn(sum, leaf[i * stride])));
    }
    return sum;
  }
  float single = static_cast<float>(sum);
#pragma unroll 8
  for (int i = 0; i < count; i++) {
    single = __fadd_rn(single, static_cast<float>(leaf[i * stride]));
  }
  return single;
}

constexpr int SUM_THREADS = 256;
constexpr int SUM_TREES = 64;
constexpr int SUM_PITCH = WARP + 1;  // keeps a column of the tile off one bank

struct SumParams {
  const double* values;     // the leaf value of each document and tree
  double* sums;             // [document]
  double initial;
  int64_t treeStride;       // from one tree's value to the next's; 1 or documentStride is 1
  int64_t documentStride;
  int32_t documents;
  int32_t trees;
  int32_t mode;
  int32_t padding;
};

__device__ inline void loadTile(const SumParams& p, int document, int tree, double* tile) {
  for (int i = threadIdx.x; i < SUM_TREES * WARP; i += SUM_THREADS) {
    // Neighbouring threads read neighbouring values, whichever way those lie.
    int d = p.documentStride == 1 ? i % WARP : i / SUM_TREES;
    int t = p.documentStride == 1 ? i / WARP : i % SUM_TREES;
    if (document + d < p.documents && tree + t < p.trees) {
      tile[t * SUM_PITCH + d] =
          p.values[(tree + t) * p.treeStride + (document + d) * p.documentStride];
    }
  }
}

/** Sums of the WARP documents of blockIdx.x; all warps load the next tile while the first one adds. */
extern "C" __global__ void __launch_bounds__(SUM_THREADS)
    sumLeaves(const __grid_constant__ SumParams p) {
  __shared__ double tiles[2][SUM_TREES * SUM_PITCH];
  const int document = blockIdx.x * WARP;
  double sum = p.initial;
  loadTile(p, document, 0, tiles[0]);
  __syncthreads();
  for (int tree = 0, current = 0; tree < p.trees; tree += SUM_TREES, current ^= 1) {
    if (tree + SUM_TREES < p.trees) {
      loadTile(p, document, tree + SUM_TREES, tiles[current ^ 1]);
    }
    if (threadIdx.x < WARP) {
      sum = addLeaves(sum, tiles[current] + threadIdx.x, SUM_PITCH, min(SUM_TREES, p.trees - tree),
                      p.mode);
    }
    __syncthreads();
  }
  if (threadIdx.x < WARP && document + static_cast<int>(threadIdx.x) < p.documents) {
    p.sums[document + threadIdx.x] = sum;
  }
}
