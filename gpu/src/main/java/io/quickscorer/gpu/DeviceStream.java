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
 * A stream of a device with the buffers a batch needs; used by one thread at a time. Buffers grow
 * to the largest batch seen and stay for the next one.
 */
final class DeviceStream {
  /** A device buffer that grows. */
  final class Buffer {
    private @Nullable DeviceMemory memory;
    private long size;

    /**
     * Returns its address, with room for at least this many bytes; the content is lost when it
     * grows.
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

  /** Small batches take less; a thread that sleeps wakes up late. */
  private static final long SPIN_NANOS = 200_000;

  private static final long PARK_NANOS = 20_000;

  private record Launch(ByteBuffer struct, CudaDriver.Arguments arguments) {}

  private final GpuDevice device;
  private final CudaDriver.Stream stream;
  private final Map<String, Launch> launches = new HashMap<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private final List<PinnedBuffer> pinned = new ArrayList<>();
  private long moves;

  /** Its small batches. */
  final CapturedBatches captured;

  /** Feature values as they come from the host: [row][stride] floats. */
  final PinnedBuffer hostValues = newPinned();

  final Buffer values = newBuffer();

  /** Ranks or pivots: [column][stride] ints. */
  final Buffer ranks = newBuffer();

  /** A leaf value for each document and tree, where sums are made in a second step. */
  final Buffer leaves = newBuffer();

  /** One double per document. */
  final Buffer sums = newBuffer();

  final PinnedBuffer hostSums = newPinned();

  DeviceStream(GpuDevice device) {
    this.device = device;
    this.stream = device.driver().createStream();
    this.captured = new CapturedBatches(this, device);
  }

  /**
   * Returns a larger size: the excess is at most a quarter of a power of two. So a buffer moves,
   * which drops the stream's graphs, at most four times while its size doubles.
   */
  private static long grown(long bytes) {
    long unit = Math.max(MIN_UNIT, Long.highestOneBit(bytes) / 4);
    return Math.max(1, (bytes + unit - 1) / unit) * unit;
  }

  /** Returns how often a buffer has moved. */
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

  /** Empties and returns the buffer for a kernel's struct of this many bytes. */
  ByteBuffer struct(String kernel, int bytes) {
    return launches.computeIfAbsent(kernel, k -> newLaunch(bytes)).struct.clear();
  }

  private Launch newLaunch(int bytes) {
    ByteBuffer struct = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return new Launch(struct, device.driver().arguments(struct));
  }

  /** Puts a kernel on the stream, with the struct written before. */
  void launch(String kernel, int gridX, int gridY, int threads, int sharedBytes) {
    Launch launch = launches.get(kernel);
    if (launch == null || launch.struct.hasRemaining()) {
      throw new IllegalStateException(kernel + ": the arguments are incomplete");
    }
    device
        .driver()
        .launch(
            device.kernel(kernel), gridX, gridY, threads, sharedBytes, stream, launch.arguments);
  }

  /**
   * Waits for the stream's work.
   *
   * @throws CudaException if the device fails, or does not finish within its longest wait
   */
  void synchronize() {
    long start = System.nanoTime();
    while (!device.driver().isDone(stream)) {
      long waited = System.nanoTime() - start;
      // Time may have passed while this process stood still.
      if (waited > device.deadline().toNanos() && !device.driver().isDone(stream)) {
        throw CudaException.hangs(device.deadline().toMillis() + " ms");
      }
      if (waited < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(PARK_NANOS);
      }
    }
  }

  /** Waits for the work of a call that failed half-way, and frees the buffers. */
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
