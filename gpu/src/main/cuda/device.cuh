// The CUDA functions that the kernels need, or the emulation of them that the tests compile.
#pragma once

#ifdef QUICKSCORER_EMULATED
#include "cuda_emulation.h"
#else
#include <cstddef>
#include <cstdint>

/** Returns the block's dynamic shared memory. */
__device__ inline char* dynamicShared() {
  extern __shared__ __align__(128) char dynamicSharedBytes[];
  return dynamicSharedBytes;
}

/** Starts to copy 16 aligned bytes from device to shared memory, without registers. */
__device__ inline void copyAsync16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/** Starts to copy an aligned value of 4 or 8 bytes from device to shared memory, without registers. */
template <typename Value>
__device__ inline void copyAsync(Value* to, const Value* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(Value))
               : "memory");
}

/** Ends a group of this thread's copies, which may be empty. */
__device__ inline void endCopyGroup() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/** Waits for this thread's copies except the last GROUPS groups; others see them after the next barrier. */
template <int GROUPS>
__device__ inline void waitForCopyGroups() {
  asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
}

/** Waits for this thread's copies; other threads see them after the next barrier. */
__device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
/** Returns 2 * bits, plus 1 if the sum of a and b overflows. */
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
