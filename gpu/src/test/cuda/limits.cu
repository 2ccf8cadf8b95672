// What a device can read at most: the bounds that measured kernels are held against.
#include "device.cuh"

struct LimitParams {
  const uint32_t* words;  // device memory
  uint32_t* out;          // one word, written to if a sum happens to be 1, so that no read is dropped
  int64_t count;          // of the words, a multiple of 4
  int32_t rounds;
  int32_t padding;
};

constexpr int LIMIT_THREADS = 512;
constexpr int SHARED_WORDS = 4096;
constexpr int CHAINS = 8;

struct alignas(16) FourWords {
  uint32_t x, y, z, w;
};

/** Reads all words once, 16 bytes per thread. */
extern "C" __global__ void __launch_bounds__(LIMIT_THREADS)
    readMemory(const __grid_constant__ LimitParams p) {
  const FourWords* words = reinterpret_cast<const FourWords*>(p.words);
  uint32_t sum = 0;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (; i < p.count / 4; i += step) {
    FourWords four = words[i];
    sum += four.x + four.y + four.z + four.w;
  }
  if (sum == 1) {
    *p.out = sum;
  }
}

/** Reads one word of shared memory per thread, round and chain, without bank conflicts. */
extern "C" __global__ void __launch_bounds__(LIMIT_THREADS)
    readShared(const __grid_constant__ LimitParams p) {
  __shared__ uint32_t words[SHARED_WORDS];
  for (int i = threadIdx.x; i < SHARED_WORDS; i += blockDim.x) {
    words[i] = (i + 32) % SHARED_WORDS;
  }
  __syncthreads();
  uint32_t at[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; c++) {
    at[c] = (threadIdx.x + c * 64) % SHARED_WORDS;
  }
  for (int round = 0; round < p.rounds; round++) {
#pragma unroll
    for (int c = 0; c < CHAINS; c++) {
      at[c] = words[at[c]];
    }
  }
  uint32_t sum = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++) {
    sum += at[c];
  }
  if (sum == 1) {
    *p.out = sum;
  }
}
