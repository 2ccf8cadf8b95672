// Columns: a feature, a rule for missing values and, for categorical splits, a set of categories. All splits
// of a column use the same rank of a value, so only this kernel handles missing and categorical values.
#pragma once
#include "device.cuh"

// Bits of Column::rule, as SplitColumns.java writes them.
constexpr int MISSING_GOES_LEFT = 1;
constexpr int ZERO_IS_MISSING = 2;
constexpr int CATEGORICAL = 4;
constexpr int TOWARD_ZERO = 8;

/** LightGBM's kZeroThreshold. */
constexpr float ZERO_BOUND = 1e-35f;

struct Column {
  int32_t row;         // index of the row of the batch's values
  int32_t rule;        // the bits above
  int32_t begin;       // index of the first threshold; thresholds are in ascending order
  int32_t count;       // number of thresholds; in a categorical column, number of splits
  int32_t setBegin;    // index of the first word of the categories' bitmap
  int32_t setWords;    // number of words of this bitmap
};

__device__ inline bool isMissing(float value, int rule) {
  return value != value || ((rule & ZERO_IS_MISSING) && fabsf(value) <= ZERO_BOUND);
}

__device__ inline bool inSet(float value, int rule, const uint32_t* set, int words) {
  if (value >= 0) {
    if (!(value < words * 32.0f)) {
      return false;
    }
    int category = static_cast<int>(value);
    return (set[category >> 5] >> (category & 31)) & 1;
  }
  return value > -1 && (rule & TOWARD_ZERO) && words > 0 && (set[0] & 1);
}

/** Returns how many of the ascending thresholds are below the value. */
__device__ inline int countBelow(float value, const float* thresholds, int count) {
  int low = 0;
  int high = count;
  while (low < high) {
    int middle = (low + high) >> 1;
    if (thresholds[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/**
 * Returns the value's rank, 0 to count: a split at threshold j sends the value left if rank <= j.
 * In a categorical column, the rank is 0 (every split sends it left) or count (no split does).
 */
__device__ inline int rankOf(float value, const Column& column, const float* thresholds,
                             const uint32_t* sets) {
  if (isMissing(value, column.rule)) {
    return (column.rule & MISSING_GOES_LEFT) ? 0 : column.count;
  }
  if (column.rule & CATEGORICAL) {
    return inSet(value, column.rule, sets + column.setBegin, column.setWords) ? 0 : column.count;
  }
  return countBelow(value, thresholds, column.count);
}

constexpr int RANK_THREADS = 256;
constexpr int RANKS_PER_THREAD = 4;
constexpr int STAGED_THRESHOLDS = 2048;

struct RankParams {
  const float* values;       // [row][documentStride]
  const Column* columns;     // the columns of this launch
  const float* thresholds;
  const uint32_t* sets;
  uint32_t* ranks;           // [column][documentStride]
  int32_t documents;
  int32_t documentStride;
  int32_t increment;         // is added to the rank before the shift
  int32_t shift;             // number of bits by which the rank is shifted left
};

/** Computes the ranks of RANKS_PER_THREAD documents per thread (blockIdx.x) in a column (blockIdx.y). */
extern "C" __global__ void __launch_bounds__(RANK_THREADS)
    rankValues(const __grid_constant__ RankParams p) {
  __shared__ float staged[STAGED_THRESHOLDS];
  const Column column = p.columns[blockIdx.y];
  const float* thresholds = p.thresholds + column.begin;
  if (column.count <= STAGED_THRESHOLDS && !(column.rule & CATEGORICAL)) {
    for (int i = threadIdx.x; i < column.count; i += blockDim.x) {
      staged[i] = thresholds[i];
    }
    thresholds = staged;
  }
  __syncthreads();
  const int share = RANKS_PER_THREAD * static_cast<int>(blockDim.x);
  const int begin = blockIdx.x * share;
  const int end = min(begin + share, p.documents);
  for (int document = begin + static_cast<int>(threadIdx.x); document < end; document += blockDim.x) {
    float value = p.values[static_cast<size_t>(column.row) * p.documentStride + document];
    int rank = rankOf(value, column, thresholds, p.sets);
    p.ranks[static_cast<size_t>(blockIdx.y) * p.documentStride + document] =
        static_cast<uint32_t>(rank + p.increment) << p.shift;
  }
}
