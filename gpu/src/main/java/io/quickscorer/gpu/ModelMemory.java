// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The arrays of a model on a device, with the number of calls that read the arrays now. After
 * {@link #close()}, the arrays are freed as soon as no call reads them. A kernel that reads freed
 * memory would make the device unusable.
 */
final class ModelMemory implements AutoCloseable {
  private record Array(DeviceMemory memory, long bytes) {}

  private final GpuDevice device;
  private final List<Array> arrays = new ArrayList<>();
  private long bytes;
  private int readers;
  private boolean closed;

  ModelMemory(GpuDevice device) {
    this.device = device;
  }

  /**
   * Copies an array to the device, and returns its device memory. Must be called before the first
   * {@link #enter}.
   */
  DeviceMemory upload(ByteBuffer from) {
    // The driver cannot allocate empty arrays.
    long size = Math.max(1, from.remaining());
    DeviceMemory memory = device.allocate(size);
    arrays.add(new Array(memory, size));
    bytes += size;
    if (from.hasRemaining()) {
      device.upload(from, memory);
    }
    return memory;
  }

  long bytes() {
    return bytes;
  }

  GpuDevice device() {
    return device;
  }

  /** Records that a call begins to read the arrays. Does nothing and returns false if closed. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    readers++;
    return true;
  }

  synchronized void leave() {
    readers--;
    freeUnused();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      freeUnused();
    }
  }

  private void freeUnused() {
    if (!closed || readers > 0 || arrays.isEmpty()) {
      return;
    }
    try {
      if (device.lost() == null) {
        device.makeCurrent();
      }
      for (Array array : arrays) {
        device.free(array.memory, array.bytes);
      }
    } catch (CudaException e) {
      device.failed(e);
    }
    arrays.clear();
  }
}
