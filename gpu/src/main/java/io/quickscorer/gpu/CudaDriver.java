// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.nio.ByteBuffer;

/**
 * The part of the CUDA driver API that this module calls. Every method throws {@link CudaException}
 * if the driver reports a failure. Before calls on memory, modules and streams, the calling thread
 * must make the device's context current. Safe for use by several threads, as the driver is.
 */
public interface CudaDriver {
  /** The state of a device for this process, as the driver defines it. */
  interface Context {}

  /** A loaded module, which contains kernels. */
  interface Module {}

  /** A kernel: a function that runs on the device. */
  interface Function {}

  /** A queue of work that the device executes in order. */
  interface Stream {}

  /** A point in the work of a stream. The driver records when the device reaches it. */
  interface Event {}

  /** Memory that was allocated on a device. */
  interface DeviceMemory {
    /** Returns the address of the memory's first byte on the device. */
    long address();
  }

  /** Page-locked host memory, which devices read and write directly. */
  interface PinnedMemory {
    /** Returns a buffer that covers the whole memory, in native byte order. */
    ByteBuffer bytes();
  }

  /**
   * The only parameter of a kernel, a struct. Each launch passes the bytes that the struct contains
   * at this time.
   */
  interface Arguments {}

  /** The work of a stream, recorded once, which one call can launch repeatedly. */
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

  /** Releases the context of a device. Does not throw an exception. */
  void releaseContext(int device);

  void makeCurrent(Context context);

  /** Returns the free memory of the device that is current for the thread, in bytes. */
  long freeBytes();

  /**
   * Loads a module of kernels.
   *
   * @param ptx the kernels' PTX text, which ends with a zero byte
   */
  Module load(byte[] ptx);

  void unload(Module module);

  Function function(Module module, String name);

  /** Sets the maximum dynamic shared memory that a block of a kernel may use, in bytes. */
  void allowShared(Function function, int bytes);

  DeviceMemory allocate(long bytes);

  void free(DeviceMemory memory);

  PinnedMemory allocatePinned(long bytes);

  void freePinned(PinnedMemory memory);

  /**
   * Copies the bytes of a direct buffer, from its position to its limit, to device memory. Returns
   * when they are on the device, so work on any stream reads the new bytes.
   */
  void copy(ByteBuffer from, DeviceMemory to);

  void copyAsync(PinnedMemory from, DeviceMemory to, long bytes, Stream stream);

  void copyAsync(DeviceMemory from, PinnedMemory to, long bytes, Stream stream);

  Stream createStream();

  /** Returns whether all work of a stream has ended. Does not wait. */
  boolean isDone(Stream stream);

  /** Waits until all work of a stream has ended. Waits forever if the device hangs. */
  void synchronize(Stream stream);

  void destroy(Stream stream);

  Event createEvent();

  void record(Event event, Stream stream);

  /** Returns the time between two events, in ms. The device must have reached both. */
  float milliseconds(Event from, Event to);

  void destroy(Event event);

  /**
   * Creates the arguments of a kernel.
   *
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

  /**
   * Ends the recording of a stream's work, and returns it as a graph that can be launched with the
   * recorded arguments.
   */
  Graph endCapture(Stream stream);

  /** Ends the recording of a stream's work and discards it. Does not throw an exception. */
  void cancelCapture(Stream stream);

  void launch(Graph graph, Stream stream);

  void destroy(Graph graph);
}
