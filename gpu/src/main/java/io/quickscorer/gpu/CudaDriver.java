// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.nio.ByteBuffer;

/**
 * The part of the CUDA driver API this module calls. Every method throws {@link CudaException} when
 * the driver reports a failure. Calls on memory, modules and streams need the device's context
 * current in the calling thread. Safe for use by several threads, as the driver is.
 */
public interface CudaDriver {
  /** A device's context. */
  interface Context {}

  /** A loaded module of kernels. */
  interface Module {}

  /** A kernel. */
  interface Function {}

  /** Work in order. */
  interface Stream {}

  /** A point in a stream's work whose time is taken. */
  interface Event {}

  /** Allocated device memory. */
  interface DeviceMemory {
    /** Returns where it starts, in the device's addresses. */
    long address();
  }

  /** Page-locked host memory, which devices copy from and to without a detour. */
  interface PinnedMemory {
    /** Returns all of the memory, in native byte order. */
    ByteBuffer bytes();
  }

  /** The one struct a kernel takes, ready to launch with; its bytes are read at each launch. */
  interface Arguments {}

  /** A stream's work, recorded once to be launched as one. */
  interface Graph {}

  /** Attributes of a device; the numbers are those of the driver API. */
  enum Attribute {
    MULTIPROCESSORS(16),
    L2_BYTES(38),
    THREADS_PER_MULTIPROCESSOR(39),
    CAPABILITY_MAJOR(75),
    CAPABILITY_MINOR(76),
    SHARED_BYTES_PER_MULTIPROCESSOR(81),
    SHARED_BYTES_PER_BLOCK(97),
    BLOCKS_PER_MULTIPROCESSOR(106);

    private final int number;

    Attribute(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  int devices();

  String name(int device);

  int attribute(int device, Attribute attribute);

  Context retainContext(int device);

  /** Releases a device's context; does not throw. */
  void releaseContext(int device);

  void makeCurrent(Context context);

  /** Returns the free bytes of the current device. */
  long freeBytes();

  /**
   * @param ptx zero-terminated text
   */
  Module load(byte[] ptx);

  void unload(Module module);

  Function function(Module module, String name);

  /** Allows a kernel this much dynamic shared memory. */
  void allowShared(Function function, int bytes);

  DeviceMemory allocate(long bytes);

  void free(DeviceMemory memory);

  PinnedMemory allocatePinned(long bytes);

  void freePinned(PinnedMemory memory);

  /**
   * Copies a direct buffer's bytes from its position to its limit, and returns when they are on the
   * device, so that work on any stream sees them.
   */
  void copy(ByteBuffer from, DeviceMemory to);

  void copyAsync(PinnedMemory from, DeviceMemory to, long bytes, Stream stream);

  void copyAsync(DeviceMemory from, PinnedMemory to, long bytes, Stream stream);

  Stream createStream();

  /** Returns whether the stream's work is done; does not wait. */
  boolean isDone(Stream stream);

  /** Waits for the stream's work, without end if the device hangs. */
  void synchronize(Stream stream);

  void destroy(Stream stream);

  Event createEvent();

  void record(Event event, Stream stream);

  /** Returns the time between two recorded events of a synchronized stream. */
  float milliseconds(Event from, Event to);

  void destroy(Event event);

  /**
   * @param struct a direct buffer in native byte order, laid out as the kernel's parameter
   */
  Arguments arguments(ByteBuffer struct);

  /** Launches a kernel over a grid of gridX times gridY blocks of this many threads. */
  void launch(
      Function function,
      int gridX,
      int gridY,
      int threads,
      int sharedBytes,
      Stream stream,
      Arguments arguments);

  /**
   * Starts recording work on the stream instead of executing it. Meanwhile the calling thread must
   * not allocate, free, copy synchronously or wait.
   */
  void beginCapture(Stream stream);

  /** Ends the recording and makes it ready to launch, its arguments as they were. */
  Graph endCapture(Stream stream);

  /** Ends the recording and drops it; does not throw. */
  void cancelCapture(Stream stream);

  void launch(Graph graph, Stream stream);

  void destroy(Graph graph);
}
