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
  size_t size;
  char bytes[16];
  int group;  // of its thread
};

struct Fiber {
  void* stackPointer;
  dim3 thread;
  State state;
  std::vector<PendingCopy> copies;
  int copyGroups;  // that have ended
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

inline void startCopy(void* to, const void* from, size_t size) {
  if ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from)) & (size - 1)) {
    emulation::fail("asynchronous copy between unaligned addresses");
    return;
  }
  emulation::Fiber* fiber = emulation::block->current;
  emulation::PendingCopy copy{to, size, {}, fiber->copyGroups};
  memcpy(copy.bytes, from, size);
  fiber->copies.push_back(copy);
}

inline void copyAsync16(void* to, const void* from) { startCopy(to, from, 16); }

template <typename Value>
void copyAsync(Value* to, const Value* from) {
  startCopy(to, from, sizeof(Value));
}

inline void endCopyGroup() { emulation::block->current->copyGroups++; }

/** Lands the copies of groups that ended before the last ones; nothing else lands. */
template <int GROUPS>
void waitForCopyGroups() {
  emulation::Fiber* fiber = emulation::block->current;
  std::vector<emulation::PendingCopy> left;
  for (const auto& copy : fiber->copies) {
    if (copy.group + GROUPS < fiber->copyGroups) {
      memcpy(copy.to, copy.bytes, copy.size);
    } else {
      left.push_back(copy);
    }
  }
  fiber->copies = left;
}

inline void waitForCopies() {
  endCopyGroup();
  waitForCopyGroups<0>();
}

inline uint32_t shiftInCarry(uint32_t bits, uint32_t a, uint32_t b) { return 2 * bits + (a + b < a ? 1 : 0); }

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
