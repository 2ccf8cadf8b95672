// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.nio.ByteBuffer;

/**
 * The part of the CUDA driver API that this module calls. Methods throw {@link CudaException} if
 * the driver reports a failure. Before calls on memory, modules and streams, a thread must make the
 * device's context current. Safe for use by several threads.
 */
public interface CudaDriver {
  /** The context of a device: its state for this process, such as memory and loaded kernels. */
  interface Context {}

  /** A loaded module, which contains kernels. */
  interface Module {}

  /** A kernel: a function that runs on the device. */
  interface Function {}

  /** A queue of work that the device executes in order. */
  interface Stream {}

  /** A mark in a stream. The driver records when the device reaches the mark. */
  interface Event {}

  /** Memory on a device. */
  interface DeviceMemory {
    /** Returns the address, on the device, of the first byte. */
    long address();
  }

  /** Page-locked memory of the host, which devices read and write directly. */
  interface PinnedMemory {
    /** Returns a buffer that contains the whole memory, in native byte order. */
    ByteBuffer bytes();
  }

  /** The only parameter of a kernel: a C struct, which the driver reads at each launch. */
  interface Arguments {}

  /** Recorded work of a stream, which one call can launch repeatedly. */
  interface Graph {}

  /**
   * A queryable property of a device, such as its number of multiprocessors, with the property's
   * number in the driver API.
   */
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

  /** Releases the context of a device. Throws no exception. */
  void releaseContext(int device);

  void makeCurrent(Context context);

  /** Returns the free memory of the thread's current device, in bytes. */
  long freeBytes();

  /** Loads a module of kernels from their PTX text, which ends with a zero byte. */
  Module load(byte[] ptx);

  Function function(Module module, String name);

  /** Sets how much dynamic shared memory each block of threads may use in a kernel, in bytes. */
  void allowShared(Function function, int bytes);

  DeviceMemory allocate(long bytes);

  void free(DeviceMemory memory);

  PinnedMemory allocatePinned(long bytes);

  void freePinned(PinnedMemory memory);

  /**
   * Copies bytes to device memory, and waits until the copy is complete.
   *
   * @param from a direct buffer; its remaining bytes are copied
   */
  void copy(ByteBuffer from, DeviceMemory to);

  void copyAsync(PinnedMemory from, DeviceMemory to, long bytes, Stream stream);

  void copyAsync(DeviceMemory from, PinnedMemory to, long bytes, Stream stream);

  Stream createStream();

  /** Returns whether all work of a stream has ended, without waiting for it. */
  boolean isDone(Stream stream);

  Event createEvent();

  void record(Event event, Stream stream);

  /** Returns the time between two events in ms. The device must have reached both. */
  float milliseconds(Event from, Event to);

  void destroy(Event event);

  /** Creates the arguments of a kernel from a direct buffer in native byte order. */
  Arguments arguments(ByteBuffer struct);

  /**
   * Launches a kernel with {@code gridX} × {@code gridY} blocks of {@code threads} threads each.
   *
   * @param sharedBytes dynamic shared memory per block, in bytes
   * @param stream the stream to which the kernel is added
   * @param arguments the parameter of the kernel
   */
  void launch(
      Function function,
      int gridX,
      int gridY,
      int threads,
      int sharedBytes,
      Stream stream,
      Arguments arguments);

  /**
   * Starts to record the stream's work instead of executing it. Until the recording ends, the
   * thread must not allocate or free memory, copy synchronously, or wait.
   */
  void beginCapture(Stream stream);

  /** Ends the recording of a stream, and returns the graph, which keeps the kernel arguments. */
  Graph endCapture(Stream stream);

  /** Discards a recording. Throws no exception. */
  void cancelCapture(Stream stream);

  void launch(Graph graph, Stream stream);

  void destroy(Graph graph);
}
