// The CUDA built-ins our kernels use, on the CPU: a block's threads are fibers of one system thread,
// switched at barriers and warp operations. Not modelled: races within a barrier interval (except that
// warps run in changing order), memory ordering, partial warps in masked operations.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#define __global__
#define __device__
#define __shared__ static thread_local
#define __grid_constant__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
};

namespace emulation {

enum class State : uint8_t { READY, AT_BARRIER, AT_WARP, DONE };

/** A copy to shared memory that is under way: it lands when its thread waits for it. */
struct PendingCopy {
  void* to;
  char bytes[16];
};

struct Fiber {
  void* stackPointer;
  dim3 thread;
  State state;
  std::vector<PendingCopy> copies;
};

/** The block that this system thread runs. */
struct Block {
  std::vector<Fiber> fibers;
  std::vector<uint8_t> votes;
  char* dynamicShared;
  void* scheduler;
  Fiber* current;
  const char* failure;  // what a thread did that a device would not forgive
};

extern thread_local Block* block;
extern thread_local dim3 blockIndex, blockSize, gridSize;

void yield(State state);
unsigned ballot(bool vote);
void fail(const char* what);

using Kernel = void (*)(const void* parameters);

/** Runs all blocks of a grid; throws std::runtime_error on what a device would fail at. */
void launch(Kernel kernel, const void* parameters, dim3 grid, dim3 blockSize, size_t dynamicShared);

}  // namespace emulation

#define threadIdx (emulation::block->current->thread)
#define blockIdx emulation::blockIndex
#define blockDim emulation::blockSize
#define gridDim emulation::gridSize

inline char* dynamicShared() { return emulation::block->dynamicShared; }

inline void copyAsync16(void* to, const void* from) {
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & 15) {
    emulation::fail("copy of 16 bytes between unaligned addresses");
    return;
  }
  emulation::PendingCopy copy{to, {}};
  memcpy(copy.bytes, from, 16);
  emulation::block->current->copies.push_back(copy);
}

inline void waitForCopies() {
  auto& copies = emulation::block->current->copies;
  for (const auto& copy : copies) {
    memcpy(copy.to, copy.bytes, 16);
  }
  copies.clear();
}

inline void __syncthreads() { emulation::yield(emulation::State::AT_BARRIER); }

inline int __all_sync(unsigned, int vote) { return emulation::ballot(vote) == ~0u; }

inline uint32_t atomicAnd(uint32_t* at, uint32_t mask) {
  uint32_t old = *at;
  *at = old & mask;
  return old;
}

inline double __dadd_rn(double a, double b) { return a + b; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __double2float_rn(double a) { return static_cast<float>(a); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int min(int a, int b) { return a < b ? a : b; }
