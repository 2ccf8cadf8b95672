// A stand-in for libcuda.so.1: the part of the driver API that the module calls, on host memory, with
// kernels run by the emulation. Streams are truly asynchronous: their work runs when somebody waits for
// them. The last synchronous copy from pageable memory lands when the default stream is waited for, as the
// driver allows itself.
#include "standin_machine.h"

extern "C" {

/**
 * Lets the call after the next `calls` ones of this thread return `code`; with `lose`, all later ones too.
 * Code 0 heals.
 */
void standinFailAfter(long calls, int code, int lose) {
  injectedHere.inject(calls, code, lose != 0);
}

long standinDeviceBytes() {
  std::lock_guard<std::mutex> guard(lock);
  long bytes = 0;
  for (const auto& a : allocations) {
    bytes += a.second;
  }
  return bytes;
}

long standinPinnedBytes() {
  std::lock_guard<std::mutex> guard(lock);
  long bytes = 0;
  for (const auto& a : pinned) {
    bytes += a.second;
  }
  return bytes;
}

/** Uploads that have returned and are not on their device yet. */
long standinUploads() {
  std::lock_guard<std::mutex> guard(lock);
  return uploads.size();
}

/** Contexts that are held. */
long standinContexts() { return contexts; }

/** Calls of this thread that a device's state matters to. */
long standinCalls() { return calls; }

/**
 * After so many waits for it, the device hangs: no stream's work ends, and a call that may wait for the device
 * does not return. A negative number heals it.
 */
void standinHang(long waits) {
  std::lock_guard<std::mutex> guard(hangLock);
  untilHang = waits;
  healed.notify_all();
}

long standinLaunches() { return launches; }

/** Graphs that exist. */
long standinGraphs() { return graphs; }

long standinGraphLaunches() { return graphLaunches; }

/** Lets each launched graph change a bit of what it copies to the host. */
void standinSpoilGraphs(int on) { spoiling = on != 0; }

int cuInit(unsigned) {
  const char* devices = getenv("STANDIN_DEVICES");
  return devices != nullptr && atoi(devices) == 0 ? NO_DEVICE : SUCCESS;
}
int cuDriverGetVersion(int* version) {
  const char* old = getenv("STANDIN_DRIVER");
  *version = old != nullptr ? atoi(old) : 13000;
  return SUCCESS;
}
int cuDeviceGetCount(int* count) {
  const char* devices = getenv("STANDIN_DEVICES");
  *count = devices != nullptr ? atoi(devices) : DEVICE_COUNT;
  return SUCCESS;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal >= 0 && ordinal < DEVICE_COUNT ? SUCCESS : INVALID_DEVICE;
}
int cuDeviceGetName(char* name, int length, int device) {
  snprintf(name, length, "%s", DEVICES[device].name);
  return SUCCESS;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) {
  *bytes = DEVICES[device].memory;
  return SUCCESS;
}
int cuMemGetInfo_v2(size_t* available, size_t* total) {
  CHECK_CALL();
  *total = DEVICES[currentDevice].memory;
  *available = *total - standinDeviceBytes();
  return SUCCESS;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  const Device& d = DEVICES[device];
  switch (attribute) {
    case 16: *value = d.multiprocessors; return SUCCESS;
    case 38: *value = d.l2; return SUCCESS;
    case 39: *value = d.threadsPerMultiprocessor; return SUCCESS;
    case 75: *value = d.major; return SUCCESS;
    case 76: *value = d.minor; return SUCCESS;
    case 81: *value = d.sharedPerMultiprocessor; return SUCCESS;
    case 106: *value = d.blocksPerMultiprocessor; return SUCCESS;
    case 97: *value = d.sharedPerBlock; return SUCCESS;
    default: return INVALID_VALUE;
  }
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  CHECK_WAIT();
  *context = reinterpret_cast<void*>(static_cast<intptr_t>(device + 1));
  contexts++;
  return SUCCESS;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  contexts--;
  return SUCCESS;
}
int cuCtxSetCurrent(void* context) {
  CHECK_CALL();
  currentDevice = static_cast<int>(reinterpret_cast<intptr_t>(context)) - 1;
  return SUCCESS;
}
int cuModuleLoadData(void** module, const void* image) {
  CHECK_WAIT();
  if (memcmp(image, "//", 2) != 0) {
    return INVALID_IMAGE;
  }
  *module = reinterpret_cast<void*>(1);
  return SUCCESS;
}
int cuModuleUnload(void*) { return SUCCESS; }
int cuModuleGetFunction(void** function, void*, const char* name) {
  CHECK_CALL();
  auto found = FUNCTIONS.find(name);
  if (found == FUNCTIONS.end()) {
    return NOT_FOUND;
  }
  *function = found->second;
  return SUCCESS;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  CHECK_CALL();
  if (attribute != 8 || value > DEVICES[currentDevice].sharedPerBlock) {
    return INVALID_VALUE;
  }
  static_cast<Function*>(function)->maxDynamicShared[currentDevice] = value;
  return SUCCESS;
}

int cuMemAlloc_v2(uintptr_t* at, size_t bytes) {
  CHECK_UNCAPTURED();
  waitForDevice();
  if (currentDevice < 0) {
    return INVALID_CONTEXT;
  }
  if (bytes == 0) {
    return INVALID_VALUE;
  }
  if (standinDeviceBytes() + bytes > DEVICES[currentDevice].memory) {
    return OUT_OF_MEMORY;
  }
  auto* memory = static_cast<unsigned char*>(aligned_alloc(256, (bytes + GUARD + 255) / 256 * 256));
  memset(memory, 0xcd, bytes);
  memset(memory + bytes, GUARD_BYTE, GUARD);
  std::lock_guard<std::mutex> guard(lock);
  *at = reinterpret_cast<uintptr_t>(memory);
  allocations[*at] = bytes;
  return SUCCESS;
}
int cuMemFree_v2(uintptr_t at) {
  CHECK_UNCAPTURED();
  waitForDevice();
  landUpload(currentDevice);
  std::lock_guard<std::mutex> guard(lock);
  auto found = allocations.find(at);
  if (found == allocations.end()) {
    return INVALID_VALUE;
  }
  auto* memory = reinterpret_cast<unsigned char*>(at);
  for (size_t i = 0; i < GUARD; i++) {
    if (memory[found->second + i] != GUARD_BYTE) {
      fprintf(stderr, "stand-in: a kernel wrote past %zu bytes of device memory\n", found->second);
      return ILLEGAL_ADDRESS;
    }
  }
  memset(memory, 0xdd, found->second);
  allocations.erase(found);
  free(memory);
  return SUCCESS;
}
int cuMemAllocHost_v2(void** at, size_t bytes) {
  CHECK_UNCAPTURED();
  waitForDevice();
  *at = malloc(bytes);
  std::lock_guard<std::mutex> guard(lock);
  pinned[*at] = bytes;
  return SUCCESS;
}
int cuMemFreeHost(void* at) {
  CHECK_WAIT();
  std::lock_guard<std::mutex> guard(lock);
  if (pinned.erase(at) == 0) {
    return INVALID_VALUE;
  }
  free(at);
  return SUCCESS;
}

int cuMemcpyHtoD_v2(uintptr_t to, const void* from, size_t bytes) {
  CHECK_UNCAPTURED();
  waitForDevice();
  landUpload(currentDevice);
  if (!onDevice(to, bytes)) {
    fprintf(stderr, "stand-in: upload of %zu bytes outside device memory\n", bytes);
    return ILLEGAL_ADDRESS;
  }
  const char* start = static_cast<const char*>(from);
  std::lock_guard<std::mutex> guard(lock);
  uploads[currentDevice] = {to, std::vector<char>(start, start + bytes)};
  return SUCCESS;
}
int cuMemcpyDtoH_v2(void* to, uintptr_t from, size_t bytes) {
  CHECK_UNCAPTURED();
  landUpload(currentDevice);
  return copy(to, reinterpret_cast<void*>(from), bytes, from);
}
int cuMemcpyHtoDAsync_v2(uintptr_t to, const void* from, size_t bytes, void* stream) {
  CHECK_CALL();
  static_cast<Stream*>(stream)->put(
      [=] { return copy(reinterpret_cast<void*>(to), from, bytes, to); });
  return SUCCESS;
}
int cuMemcpyDtoHAsync_v2(void* to, uintptr_t from, size_t bytes, void* stream) {
  CHECK_CALL();
  static_cast<Stream*>(stream)->put(
      [=] { return copy(to, reinterpret_cast<void*>(from), bytes, from); });
  return SUCCESS;
}

int cuStreamCreate(void** stream, unsigned) {
  CHECK_WAIT();
  *stream = new Stream;
  return SUCCESS;
}
int cuStreamSynchronize(void* stream) {
  CHECK_UNCAPTURED();
  waitForDevice();
  if (stream == nullptr) {
    landUpload(currentDevice);
    return SUCCESS;
  }
  return run(static_cast<Stream*>(stream));
}
int cuStreamQuery(void* stream) {
  CHECK_UNCAPTURED();
  return hangs() ? NOT_READY : run(static_cast<Stream*>(stream));
}
int cuStreamDestroy_v2(void* stream) {
  delete static_cast<Stream*>(stream);
  return SUCCESS;
}

int cuEventCreate(void** event, unsigned) {
  *event = new Event;
  return SUCCESS;
}
int cuEventRecord(void* event, void* stream) {
  static_cast<Stream*>(stream)->put([=] {
    static_cast<Event*>(event)->at = std::chrono::steady_clock::now();
    return SUCCESS;
  });
  return SUCCESS;
}
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  *milliseconds = std::chrono::duration<float, std::milli>(static_cast<Event*>(to)->at -
                                                           static_cast<Event*>(from)->at)
                      .count();
  return SUCCESS;
}
int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return SUCCESS;
}

int cuLaunchKernel(void* function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned shared, void* stream, void** parameters,
                   void**) {
  CHECK_CALL();
  auto* f = static_cast<Function*>(function);
  if (currentDevice < 0) {
    return INVALID_CONTEXT;
  }
  if (gridX == 0 || gridY == 0 || gridY > 65535 || gridZ != 1 || blockX == 0 ||
      static_cast<int>(blockX * blockY * blockZ) > f->maxThreads ||
      static_cast<int>(shared) > f->maxDynamicShared[currentDevice] ||
      static_cast<int>(shared) > DEVICES[currentDevice].sharedPerBlock) {
    fprintf(stderr, "stand-in: grid %u x %u, block %u, %u bytes of shared memory\n", gridX, gridY, blockX,
            shared);
    return INVALID_VALUE;
  }
  launches++;
  std::vector<char> arguments(static_cast<char*>(parameters[0]),
                              static_cast<char*>(parameters[0]) + f->parameterBytes);
  static_cast<Stream*>(stream)->put([=] {
    try {
      // The vector's own storage is aligned for any of the kernels' structs.
      emulation::launch(f->kernel, arguments.data(), {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared);
      return SUCCESS;
    } catch (const std::exception& e) {
      fprintf(stderr, "stand-in: %s\n", e.what());
      return LAUNCH_FAILED;
    }
  });
  return SUCCESS;
}

int cuStreamBeginCapture_v2(void* stream, int mode) {
  CHECK_CALL();
  auto* s = static_cast<Stream*>(stream);
  if (s->capturing || captures || mode != 1) {
    return ILLEGAL_STATE;
  }
  s->capturing = captures = true;
  s->captured.clear();
  return SUCCESS;
}
int cuStreamEndCapture(void* stream, void** graph) {
  auto* s = static_cast<Stream*>(stream);
  if (!s->capturing) {
    return ILLEGAL_STATE;
  }
  s->capturing = captures = false;
  CHECK_CALL();
  *graph = new Graph{std::move(s->captured)};
  return SUCCESS;
}
int cuGraphDestroy(void* graph) {
  delete static_cast<Graph*>(graph);
  return SUCCESS;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  CHECK_WAIT();
  *executable = new Graph(*static_cast<Graph*>(graph));
  graphs++;
  return SUCCESS;
}
int cuGraphLaunch(void* executable, void* stream) {
  CHECK_CALL();
  if (int injected = injectedEverywhere().tick()) {
    return injected;
  }
  graphLaunches++;
  auto* s = static_cast<Stream*>(stream);
  s->put([] { return spoilsCopies = spoiling, SUCCESS; });
  for (auto& piece : static_cast<Graph*>(executable)->work) {
    s->put(piece);
  }
  s->put([] { return spoilsCopies = false, SUCCESS; });
  return SUCCESS;
}
int cuGraphExecDestroy(void* executable) {
  waitForDevice();
  delete static_cast<Graph*>(executable);
  graphs--;
  return SUCCESS;
}

int cuGetErrorName(int error, const char** name) {
  switch (error) {
    case OUT_OF_MEMORY: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return SUCCESS;
    case NO_DEVICE: *name = "CUDA_ERROR_NO_DEVICE"; return SUCCESS;
    case ILLEGAL_ADDRESS: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; return SUCCESS;
    case LAUNCH_FAILED: *name = "CUDA_ERROR_LAUNCH_FAILED"; return SUCCESS;
    default: *name = "CUDA_ERROR_OTHER"; return SUCCESS;
  }
}
int cuGetErrorString(int error, const char** text) { return cuGetErrorName(error, text); }

}  // extern "C"
