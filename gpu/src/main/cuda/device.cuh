// What the kernels need from the machine: CUDA itself, or the emulation the tests compile against.
#pragma once

#ifdef QUICKSCORER_EMULATED
#include "cuda_emulation.h"
#else
#include <cstddef>
#include <cstdint>

/** The block's dynamic shared memory. */
__device__ inline char* dynamicShared() {
  extern __shared__ __align__(128) char dynamicSharedBytes[];
  return dynamicSharedBytes;
}

/** Starts to copy 16 aligned bytes from device to shared memory, past the registers. */
__device__ inline void copyAsync16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/** Starts to copy one aligned value of 4 or 8 bytes from device to shared memory, past the registers. */
template <typename Value>
__device__ inline void copyAsync(Value* to, const Value* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(Value))
               : "memory");
}

/** Ends a group of this thread's copies; there may be none in it. */
__device__ inline void endCopyGroup() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/** Waits for all but the last groups of this thread's copies; other threads see them after the next barrier. */
template <int GROUPS>
__device__ inline void waitForCopyGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

/** Waits for this thread's copies; other threads see them after the next barrier. */
__device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
/** Twice the bits, and 1 where the sum of two values overflows. */
__device__ inline uint32_t shiftInCarry(uint32_t bits, uint32_t a, uint32_t b) {
  uint32_t result;
  asm("{\n .reg .u32 sum;\n add.cc.u32 sum, %1, %2;\n addc.u32 %0, %3, %3;\n}"
      : "=r"(result)
      : "r"(a), "r"(b), "r"(bits));
  return result;
}
#endif

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;
