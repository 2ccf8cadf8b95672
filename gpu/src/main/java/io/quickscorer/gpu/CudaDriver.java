// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.nio.ByteBuffer;

/**
 * The part of the CUDA driver API that this module calls. Every method throws {@link CudaException}
 * if the driver reports a failure. Before calls on memory, modules and streams, the calling thread
 * must make the device's context current. Safe for use by several threads, as the driver is.
 */
public interface CudaDriver {
  /** A device's context. */
  interface Context {}

  /** A loaded module of kernels. */
  interface Module {}

  /** A kernel. */
  interface Function {}

  /** A queue of work that the device executes in order. */
  interface Stream {}

  /** A point in a stream's work; the driver records when the device reaches it. */
  interface Event {}

  /** Allocated device memory. */
  interface DeviceMemory {
    /** Returns the first address of the memory on the device. */
    long address();
  }

  /** Page-locked host memory, which devices read and write directly. */
  interface PinnedMemory {
    /** Returns a buffer over the whole memory, in native byte order. */
    ByteBuffer bytes();
  }

  /** A kernel's only parameter, a struct. Each launch reads its current bytes. */
  interface Arguments {}

  /** A stream's work, recorded once and then launched by one call. */
  interface Graph {}

  /** An attribute of a device, with its number in the driver API. */
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

  /** Returns the free memory of the current device, in bytes. */
  long freeBytes();

  /**
   * @param ptx the kernels' PTX text, which ends with a zero byte
   */
  Module load(byte[] ptx);

  void unload(Module module);

  Function function(Module module, String name);

  /** Sets the maximum dynamic shared memory of a block of the kernel, in bytes. */
  void allowShared(Function function, int bytes);

  DeviceMemory allocate(long bytes);

  void free(DeviceMemory memory);

  PinnedMemory allocatePinned(long bytes);

  void freePinned(PinnedMemory memory);

  /**
   * Copies the bytes of a direct buffer between position and limit. Returns when they are on the
   * device, so work on any stream reads the new bytes.
   */
  void copy(ByteBuffer from, DeviceMemory to);

  void copyAsync(PinnedMemory from, DeviceMemory to, long bytes, Stream stream);

  void copyAsync(DeviceMemory from, PinnedMemory to, long bytes, Stream stream);

  Stream createStream();

  /** Returns whether the stream's work is done; does not wait. */
  boolean isDone(Stream stream);

  /** Waits until the stream's work is done; waits forever if the device hangs. */
  void synchronize(Stream stream);

  void destroy(Stream stream);

  Event createEvent();

  void record(Event event, Stream stream);

  /** Returns the time between two events, in ms; the work up to both must be done. */
  float milliseconds(Event from, Event to);

  void destroy(Event event);

  /**
   * @param struct a direct buffer in native byte order, with the layout of the kernel's parameter
   */
  Arguments arguments(ByteBuffer struct);

  /** Launches a kernel on a grid of {@code gridX} × {@code gridY} blocks of {@code threads}. */
  void launch(
      Function function,
      int gridX,
      int gridY,
      int threads,
      int sharedBytes,
      Stream stream,
      Arguments arguments);

  /**
   * Starts recording the stream's work instead of executing it. Until the recording ends, the
   * calling thread must not allocate or free memory, copy synchronously, or wait.
   */
  void beginCapture(Stream stream);

  /** Ends the recording and returns it, ready to launch with the recorded arguments. */
  Graph endCapture(Stream stream);

  /** Ends and discards the recording; does not throw. */
  void cancelCapture(Stream stream);

  void launch(Graph graph, Stream stream);

  void destroy(Graph graph);
}
