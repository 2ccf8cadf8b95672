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

/** Waits for this thread's copies; other threads see them after the next barrier. */
__device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
#endif

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;
