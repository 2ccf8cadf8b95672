// The stand-in's devices: their limits, memory, streams and work under way, and the failures that tests inject.
// Device pointers are checked against live allocations, freed memory and guard bytes included.
#pragma once
#include "cuda_emulation.h"
#include "../../main/cuda/quickscorer.cu"
#include "../cuda/limits.cu"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace {

constexpr int SUCCESS = 0;
constexpr int INVALID_VALUE = 1;
constexpr int OUT_OF_MEMORY = 2;
constexpr int NO_DEVICE = 100;
constexpr int INVALID_DEVICE = 101;
constexpr int INVALID_IMAGE = 200;
constexpr int INVALID_CONTEXT = 201;
constexpr int NOT_FOUND = 500;
constexpr int NOT_READY = 600;
constexpr int ILLEGAL_ADDRESS = 700;
constexpr int LAUNCH_FAILED = 719;
constexpr int CAPTURE_UNSUPPORTED = 900;
constexpr int ILLEGAL_STATE = 401;

constexpr size_t GUARD = 64;
constexpr unsigned char GUARD_BYTE = 0xa7;
constexpr int DEFAULT_SHARED = 48 << 10;

struct Device {
  const char* name;
  int major, minor, multiprocessors, threadsPerMultiprocessor, blocksPerMultiprocessor;
  int sharedPerMultiprocessor, sharedPerBlock, l2;
  size_t memory;
};

constexpr int DEVICE_COUNT = 3;

// A large device, one with little shared memory, and one too old for the module.
const Device DEVICES[DEVICE_COUNT] = {
    {"Emulated 9.0", 9, 0, 6, 2048, 32, 233472, 232448, 50 << 20, size_t{1} << 30},
    {"Emulated 8.6", 8, 6, 4, 1536, 16, 102400, 101376, 6 << 20, size_t{1} << 30},
    {"Emulated 7.5", 7, 5, 4, 1024, 16, 65536, 65536, 4 << 20, size_t{1} << 30},
};

template <class P, void (*KERNEL)(P)>
void call(const void* parameters) {
  KERNEL(*static_cast<const P*>(parameters));
}

struct Function {
  emulation::Kernel kernel;
  size_t parameterBytes;
  int maxThreads;
  std::atomic<int> maxDynamicShared[DEVICE_COUNT];  // each device has its own module
  Function(emulation::Kernel k, size_t bytes, int threads)
      : kernel(k), parameterBytes(bytes), maxThreads(threads) {
    for (auto& most : maxDynamicShared) {
      most = DEFAULT_SHARED;
    }
  }
};

#define KERNEL(name, P, threads) \
  {#name, new Function(call<P, name>, sizeof(P), threads)}
const std::map<std::string, Function*> FUNCTIONS = {
    KERNEL(rankValues, RankParams, RANK_THREADS),
    KERNEL(sumLeaves, SumParams, SUM_THREADS),
    KERNEL(updateScores32, QuickScorerParams, 1024),
    KERNEL(updateScores64, QuickScorerParams, 1024),
    KERNEL(updateScoresWide, QuickScorerParams, 1024),
    KERNEL(walkShared, WalkParams, WALK_THREADS),
    KERNEL(walkShifted, WalkParams, WALK_THREADS),
    KERNEL(walkLargeTrees, WalkParams, WALK_THREADS),
    KERNEL(walkManyColumns, WalkParams, WALK_THREADS),
    KERNEL(walkOblivious, WalkParams, WALK_THREADS),
    KERNEL(walkObliviousManyColumns, WalkParams, WALK_THREADS),
    KERNEL(walkLarge, WalkParams, WALK_LARGE_THREADS),
    KERNEL(readMemory, LimitParams, LIMIT_THREADS),
    KERNEL(readShared, LimitParams, LIMIT_THREADS),
};
#undef KERNEL

struct Stream {
  std::vector<std::function<int()>> work;
  std::vector<std::function<int()>> captured;
  bool capturing = false;
  void put(std::function<int()> piece) { (capturing ? captured : work).push_back(std::move(piece)); }
};

struct Graph {
  std::vector<std::function<int()>> work;
};

struct Event {
  std::chrono::steady_clock::time_point at;
};

std::mutex lock;
std::map<uintptr_t, size_t> allocations;  // device memory: start -> bytes
std::map<void*, size_t> pinned;
std::atomic<long> launches{0};
std::atomic<long> graphs{0};
std::atomic<long> graphLaunches{0};
std::atomic<long> contexts{0};
thread_local long calls = 0;
std::mutex hangLock;
std::condition_variable healed;
long untilHang = -1;  // waits for the device before it hangs; negative: it never does. Under hangLock

/** Counts a wait for the device. Returns whether the device hangs. */
bool hangs() {
  std::lock_guard<std::mutex> guard(hangLock);
  if (untilHang > 0) {
    untilHang--;
    return false;
  }
  return untilHang == 0;
}

/** Waits for the device, until it no longer hangs. */
void waitForDevice() {
  if (hangs()) {
    std::unique_lock<std::mutex> guard(hangLock);
    healed.wait(guard, [] { return untilHang < 0; });
  }
}

std::atomic<bool> spoiling{false};
thread_local bool spoilsCopies = false;
thread_local int currentDevice = -1;
thread_local bool captures = false;

/** Failures that are injected into the calls that are counted against it. */
struct Injection {
  std::atomic<long> callsLeft{-1};  // negative: none fails
  std::atomic<int> code{SUCCESS};
  std::atomic<bool> loses{false};
  std::atomic<bool> lost{false};

  void inject(long calls, int failure, bool losing) {
    lost = false;
    code = failure;
    loses = losing;
    callsLeft = failure == SUCCESS ? -1 : calls;
  }

  int tick() {
    if (lost) {
      return code;
    }
    if (callsLeft >= 0 && callsLeft.fetch_sub(1) == 0) {
      lost = loses.load();
      return code;
    }
    return SUCCESS;
  }
};

// Of one thread: another that frees memory meanwhile is not struck, and takes no call's turn.
thread_local Injection injectedHere;

// Of a whole process: after STANDIN_LOST_AFTER launches of graphs everything fails.
Injection& injectedEverywhere() {
  static Injection* injection = [] {
    auto* made = new Injection;
    if (const char* launches = getenv("STANDIN_LOST_AFTER")) {
      made->inject(atol(launches), LAUNCH_FAILED, true);
    }
    return made;
  }();
  return *injection;
}

/** Counts a call against the injected failures. */
int tick() {
  calls++;
  const Injection& everywhere = injectedEverywhere();
  return everywhere.lost ? everywhere.code.load() : injectedHere.tick();
}

#define CHECK_CALL()             \
  if (int injected = tick()) {   \
    return injected;             \
  }

/** For calls that may wait for all work on the device. */
#define CHECK_WAIT()             \
  CHECK_CALL()                   \
  waitForDevice();

/** For calls that a thread must not make while it captures. */
#define CHECK_UNCAPTURED()       \
  CHECK_CALL()                   \
  if (captures) {                \
    return CAPTURE_UNSUPPORTED;  \
  }

bool onDevice(uintptr_t at, size_t bytes) {
  std::lock_guard<std::mutex> guard(lock);
  auto next = allocations.upper_bound(at);
  if (next == allocations.begin()) {
    return false;
  }
  --next;
  return at + bytes <= next->first + next->second;
}

/** A copy from pageable memory whose bytes have left the caller's memory, but are not on the device yet. */
struct Upload {
  uintptr_t to;
  std::vector<char> bytes;
};
std::map<int, Upload> uploads;  // the last one of each device, under the lock

/** What waiting for a device's default stream does: its last upload is in place. */
void landUpload(int device) {
  std::lock_guard<std::mutex> guard(lock);
  auto found = uploads.find(device);
  if (found != uploads.end()) {
    memcpy(reinterpret_cast<void*>(found->second.to), found->second.bytes.data(), found->second.bytes.size());
    uploads.erase(found);
  }
}

int copy(void* to, const void* from, size_t bytes, uintptr_t device) {
  if (!onDevice(device, bytes)) {
    fprintf(stderr, "stand-in: copy of %zu bytes outside device memory\n", bytes);
    return ILLEGAL_ADDRESS;
  }
  memcpy(to, from, bytes);
  if (spoilsCopies && from == reinterpret_cast<void*>(device)) {
    *static_cast<char*>(to) ^= 1;
  }
  return SUCCESS;
}

int run(Stream* stream) {
  int result = SUCCESS;
  for (auto& work : stream->work) {
    if (result == SUCCESS) {
      result = work();
    }
  }
  stream->work.clear();
  return result;
}

}  // namespace
