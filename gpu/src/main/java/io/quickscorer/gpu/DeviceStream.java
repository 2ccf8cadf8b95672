// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a device, with the buffers that a batch needs. Used by one thread at a time. The
 * buffers grow to the size of the largest batch, and later batches use them again.
 */
final class DeviceStream {
  /** A device buffer that grows. */
  final class Buffer {
    private @Nullable DeviceMemory memory;
    private long size;

    /**
     * Returns the buffer's memory, with a size of at least {@code bytes}. The content is lost if
     * the buffer grows.
     */
    DeviceMemory reserve(long bytes) {
      if (memory == null || size < bytes) {
        moves++;
        free();
        long grown = grown(bytes);
        memory = device.allocate(grown);
        size = grown;
      }
      return memory;
    }

    private void free() {
      if (memory != null) {
        DeviceMemory old = memory;
        memory = null;
        device.free(old, size);
      }
    }
  }

  /** A page-locked buffer that grows. */
  final class PinnedBuffer {
    private CudaDriver.@Nullable PinnedMemory memory;
    private long size;

    CudaDriver.PinnedMemory reserve(long bytes) {
      if (memory == null || size < bytes) {
        moves++;
        free();
        long grown = grown(bytes);
        memory = device.allocatePinned(grown);
        size = grown;
      }
      return memory;
    }

    private void free() {
      if (memory != null) {
        CudaDriver.PinnedMemory old = memory;
        memory = null;
        device.freePinned(old, size);
      }
    }
  }

  private static final long MIN_UNIT = 1024;

  /**
   * Time of busy waiting before the thread sleeps. Small batches end within this time; a sleeping
   * thread would notice their end late.
   */
  private static final long SPIN_NANOS = 200_000;

  private static final long PARK_NANOS = 20_000;

  private record Launch(ByteBuffer struct, CudaDriver.Arguments arguments) {}

  private final GpuDevice device;
  private final CudaDriver.Stream stream;
  private final Map<String, Launch> launches = new HashMap<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<PinnedBuffer> pinned = new ArrayList<>();
  private long moves;

  /** Runs the stream's small batches as CUDA graphs. */
  final CapturedBatches captured;

  /** Feature values, gathered on the host: {@code [row][stride]} floats. */
  final PinnedBuffer hostValues = newPinned();

  final Buffer values = newBuffer();

  /**
   * The values' ranks, which are the pivots of {@link GpuQuickScorer}: {@code [column][stride]}
   * ints.
   */
  final Buffer ranks = newBuffer();

  /** One leaf value per document and tree, if a second kernel computes the sums. */
  final Buffer leaves = newBuffer();

  /** The sums: one double per document. */
  final Buffer sums = newBuffer();

  final PinnedBuffer hostSums = newPinned();

  DeviceStream(GpuDevice device) {
    this.device = device;
    this.stream = device.call("cuStreamCreate", device.driver()::createStream);
    this.captured = new CapturedBatches(this, device);
  }

  /**
   * Rounds a size up to a multiple of a quarter of its highest power of two. So a buffer is
   * reallocated at most four times while its size doubles; each reallocation drops the stream's
   * graphs.
   */
  private static long grown(long bytes) {
    long unit = Math.max(MIN_UNIT, Long.highestOneBit(bytes) / 4);
    return Math.max(1, (bytes + unit - 1) / unit) * unit;
  }

  /** Returns how often buffers were reallocated or freed. */
  long moves() {
    return moves;
  }

  private Buffer newBuffer() {
    Buffer buffer = new Buffer();
    buffers.add(buffer);
    return buffer;
  }

  private PinnedBuffer newPinned() {
    PinnedBuffer buffer = new PinnedBuffer();
    pinned.add(buffer);
    return buffer;
  }

  CudaDriver.Stream handle() {
    return stream;
  }

  /** Clears and returns the buffer for a kernel's parameter, a struct of this many bytes. */
  ByteBuffer struct(String kernel, int bytes) {
    return launches.computeIfAbsent(kernel, k -> newLaunch(bytes)).struct.clear();
  }

  private Launch newLaunch(int bytes) {
    ByteBuffer struct = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return new Launch(struct, device.driver().arguments(struct));
  }

  /** Enqueues a kernel; its struct must have been written to the buffer of {@link #struct}. */
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
   * Waits until the stream's work is done.
   *
   * @throws CudaException if the device fails, or does not finish within {@link GpuDevice#deadline}
   */
  void synchronize() {
    long start = System.nanoTime();
    while (!device.driver().isDone(stream)) {
      long waited = System.nanoTime() - start;
      // The process may have been suspended, so look again.
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

  /** Waits for the rest of a failed call's work, and frees the buffers. */
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

  /** Frees the buffers. */
  void trim() {
    moves++;
    captured.clear();
    buffers.forEach(Buffer::free);
    pinned.forEach(PinnedBuffer::free);
  }
}
