// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import io.quickscorer.gpu.CudaDriver.PinnedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream (queue of work) of a device, with the buffers of a batch. The buffers keep the size of
 * the largest batch so far, and all batches share them. Used by one thread at a time.
 */
final class DeviceStream {
  /** A buffer in device memory or in page-locked host memory. It grows when it is too small. */
  final class Buffer<M> {
    private final LongFunction<M> allocate;
    private final ObjLongConsumer<M> release;
    private @Nullable M memory;
    private long size;

    private Buffer(LongFunction<M> allocate, ObjLongConsumer<M> release) {
      this.allocate = allocate;
      this.release = release;
      buffers.add(this);
    }

    /**
     * Returns the memory of this buffer, which is at least {@code bytes} bytes. If the buffer must
     * grow first, its content is lost.
     */
    M reserve(long bytes) {
      if (memory == null || size < bytes) {
        moves++;
        free();
        long grown = grown(bytes);
        memory = allocate.apply(grown);
        size = grown;
      }
      return memory;
    }

    private void free() {
      if (memory != null) {
        M old = memory;
        memory = null;
        release.accept(old, size);
      }
    }
  }

  private static final long MIN_UNIT = 1024;

  /** Time in ns for which a thread polls before it sleeps; most small batches take less. */
  private static final long SPIN_NANOS = 200_000;

  private static final long PARK_NANOS = 20_000;

  private record Launch(ByteBuffer struct, CudaDriver.Arguments arguments) {}

  private final GpuDevice device;
  private final CudaDriver.Stream stream;
  private final Map<String, Launch> launches = new HashMap<>();
  private final List<Buffer<?>> buffers = new ArrayList<>();
  private long moves;

  final CapturedBatches captured;

  /** The feature values of a batch on the host: for each feature, {@code stride} floats. */
  final Buffer<PinnedMemory> hostValues = newPinned();

  final Buffer<DeviceMemory> values = newBuffer();

  /** The ranks of a batch's feature values: for each column, {@code stride} ints. */
  final Buffer<DeviceMemory> ranks = newBuffer();

  /** The leaf value of each document and tree of a batch, for a second kernel that adds them. */
  final Buffer<DeviceMemory> leaves = newBuffer();

  /** The sums of a batch on the device: one double per document. */
  final Buffer<DeviceMemory> sums = newBuffer();

  final Buffer<PinnedMemory> hostSums = newPinned();

  DeviceStream(GpuDevice device) {
    this.device = device;
    this.stream = device.call("cuStreamCreate", device.driver()::createStream);
    this.captured = new CapturedBatches(this, device);
  }

  /** Rounds a size up to one of four sizes per power of two, so that buffers rarely move. */
  private static long grown(long bytes) {
    long unit = Math.max(MIN_UNIT, Long.highestOneBit(bytes) / 4);
    return Math.max(1, (bytes + unit - 1) / unit) * unit;
  }

  /** Returns how often buffers were freed or moved; this makes earlier CUDA graphs invalid. */
  long moves() {
    return moves;
  }

  private Buffer<DeviceMemory> newBuffer() {
    return new Buffer<>(
        bytes -> device.allocate(bytes), (memory, size) -> device.free(memory, size));
  }

  private Buffer<PinnedMemory> newPinned() {
    return new Buffer<>(
        bytes -> device.allocatePinned(bytes), (memory, size) -> device.freePinned(memory, size));
  }

  CudaDriver.Stream handle() {
    return stream;
  }

  /**
   * Returns the buffer for a kernel's parameter, which the caller must fill completely.
   *
   * @param kernel the name of the kernel
   * @param bytes the size of the parameter, a C struct
   */
  ByteBuffer struct(String kernel, int bytes) {
    return launches.computeIfAbsent(kernel, k -> newLaunch(bytes)).struct.clear();
  }

  private Launch newLaunch(int bytes) {
    ByteBuffer struct = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return new Launch(struct, device.driver().arguments(struct));
  }

  /**
   * Adds a kernel to the stream's queue. The buffer that {@link #struct} returned must contain the
   * kernel's parameter.
   */
  void launch(String kernel, int gridX, int gridY, int threads, int sharedBytes) {
    Launch launch = launches.get(kernel);
    if (launch == null || launch.struct.hasRemaining()) {
      throw new IllegalStateException("the parameters of kernel [" + kernel + "] are incomplete");
    }
    device
        .driver()
        .launch(
            device.kernel(kernel), gridX, gridY, threads, sharedBytes, stream, launch.arguments);
  }

  /**
   * Waits until all work of the stream has ended.
   *
   * @throws CudaException if the device fails or exceeds {@link GpuDevice#deadline}
   */
  void synchronize() {
    long start = System.nanoTime();
    while (!device.driver().isDone(stream)) {
      long waited = System.nanoTime() - start;
      // The process may have been suspended, so check the stream once more.
      if (waited > device.deadline().toNanos() && !device.driver().isDone(stream)) {
        throw CudaException.hangs("cuStreamQuery", device.deadline());
      }
      if (waited < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PARK_NANOS);
      }
    }
  }

  /** Waits until the remaining work of a failed call has ended, and then frees the buffers. */
  void abandon() {
    try {
      if (device.lost() == null) {
        synchronize();
      }
    } catch (CudaException e) {
      device.failed(e);
    }
    try {
      trim();
    } catch (CudaException e) {
      device.failed(e);
    }
  }

  void trim() {
    moves++;
    captured.clear();
    buffers.forEach(Buffer::free);
  }
}
