#include "cuda_emulation.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace emulation {

thread_local Block* block;
thread_local dim3 blockIndex, blockSize, gridSize;

// Saves the callee's registers on the running stack, stores its top, and goes on with another stack.
extern "C" void emulationSwitch(void** from, void* to);
asm(R"(
.text
.globl emulationSwitch
.hidden emulationSwitch
.type emulationSwitch,@function
emulationSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
)");

namespace {

constexpr unsigned WARP = 32;
constexpr size_t STACK = 32 << 10;
constexpr int SAVED_REGISTERS = 6;
constexpr size_t GUARD = 128;
constexpr char GUARD_BYTE = 0x5a;

thread_local Kernel running;
thread_local const void* runningParameters;

void entry() {
  running(runningParameters);
  if (!block->current->copies.empty()) {
    fail("thread ended with copies to shared memory under way");
  }
  yield(State::DONE);
  abort();
}

/** Puts a fiber at the start of entry(), as if a switch had left it there. */
void rewind(Fiber& fiber, char* stack) {
  auto** top = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(stack + STACK) & ~uintptr_t{15});
  *--top = nullptr;
  *--top = reinterpret_cast<void*>(entry);
  top -= SAVED_REGISTERS;
  memset(top, 0, SAVED_REGISTERS * sizeof(void*));
  fiber.stackPointer = top;
  fiber.state = State::READY;
  fiber.copies.clear();
  fiber.copyGroups = 0;
}

void resume(Fiber& fiber) {
  block->current = &fiber;
  emulationSwitch(&block->scheduler, fiber.stackPointer);
}

/** Runs one warp until its live threads stand at the block's barrier; false when all have ended. */
bool runWarp(unsigned begin, unsigned end) {
  for (;;) {
    unsigned atWarp = 0;
    unsigned atBarrier = 0;
    unsigned done = 0;
    for (unsigned i = begin; i < end; i++) {
      Fiber& fiber = block->fibers[i];
      if (fiber.state == State::READY) {
        resume(fiber);
      }
      atWarp += fiber.state == State::AT_WARP;
      atBarrier += fiber.state == State::AT_BARRIER;
      done += fiber.state == State::DONE;
    }
    if (block->failure != nullptr) {
      throw std::runtime_error(block->failure);
    }
    if (atWarp == 0) {
      return atBarrier > 0;
    }
    if (atBarrier + done > 0) {
      throw std::runtime_error("warp diverged: some lanes at a warp operation, others not");
    }
    for (unsigned i = begin; i < end; i++) {
      block->fibers[i].state = State::READY;
    }
  }
}

void runBlock(bool backwards) {
  const unsigned threads = block->fibers.size();
  const unsigned warps = (threads + WARP - 1) / WARP;
  for (;;) {
    unsigned live = 0;
    for (unsigned w = 0; w < warps; w++) {
      unsigned warp = backwards ? warps - 1 - w : w;
      live += runWarp(warp * WARP, std::min(threads, (warp + 1) * WARP));
    }
    if (live == 0) {
      return;
    }
    for (Fiber& fiber : block->fibers) {
      if (fiber.state == State::AT_BARRIER) {
        fiber.state = State::READY;
      }
    }
  }
}

}  // namespace

void yield(State state) {
  Fiber* fiber = block->current;
  fiber->state = state;
  emulationSwitch(&fiber->stackPointer, block->scheduler);
}

unsigned ballot(bool vote) {
  const unsigned thread = block->current - block->fibers.data();
  block->votes[thread] = vote;
  yield(State::AT_WARP);
  unsigned votes = 0;
  for (unsigned lane = 0; lane < WARP; lane++) {
    votes |= static_cast<unsigned>(block->votes[thread / WARP * WARP + lane]) << lane;
  }
  yield(State::AT_WARP);
  return votes;
}

void fail(const char* what) {
  block->failure = what;
}

void launch(Kernel kernel, const void* parameters, dim3 grid, dim3 size, size_t dynamicShared) {
  const unsigned threads = size.x * size.y * size.z;
  if (threads % WARP != 0) {
    throw std::runtime_error("block of a partial warp");
  }
  std::unique_ptr<char, decltype(&free)> shared(
      static_cast<char*>(aligned_alloc(128, (dynamicShared + GUARD + 127) / 128 * 128)), free);
  std::unique_ptr<char[]> stacks(new char[STACK * threads]);
  Block mine;
  mine.fibers.resize(threads);
  mine.votes.resize(threads);
  mine.dynamicShared = shared.get();
  mine.failure = nullptr;
  for (unsigned i = 0; i < threads; i++) {
    mine.fibers[i].thread = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
  }
  block = &mine;
  blockSize = size;
  gridSize = grid;
  running = kernel;
  runningParameters = parameters;
  const uint64_t blocks = uint64_t{grid.x} * grid.y * grid.z;
  for (uint64_t b = 0; b < blocks; b++) {
    blockIndex = {static_cast<unsigned>(b % grid.x), static_cast<unsigned>(b / grid.x % grid.y),
                  static_cast<unsigned>(b / (uint64_t{grid.x} * grid.y))};
    // What a former block left must not matter, nor which warp comes first.
    memset(mine.dynamicShared, 0xcd, dynamicShared);
    memset(mine.dynamicShared + dynamicShared, GUARD_BYTE, GUARD);
    for (unsigned i = 0; i < threads; i++) {
      rewind(mine.fibers[i], stacks.get() + STACK * i);
    }
    runBlock(b % 2 == 1);
    for (size_t i = 0; i < GUARD; i++) {
      if (mine.dynamicShared[dynamicShared + i] != GUARD_BYTE) {
        throw std::runtime_error("write past the end of dynamic shared memory");
      }
    }
  }
}

}  // namespace emulation
