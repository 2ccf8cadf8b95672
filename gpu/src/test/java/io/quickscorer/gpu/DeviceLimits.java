// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a device reads at most, measured by kernels that do nothing else.
 *
 * @param memoryBytesPerSecond of device memory, an array of several times the cache
 * @param sharedBytesPerSecond of all multiprocessors' shared memories together
 * @param launchMicros from a launch to the end of its wait, of a kernel with nothing to do
 */
record DeviceLimits(double memoryBytesPerSecond, double sharedBytesPerSecond, double launchMicros) {
  private static final int THREADS = 512;
  private static final int CHAINS = 8;
  private static final int STRUCT_BYTES = 32;
  private static final int RUNS = 5;

  static DeviceLimits measure(GpuDevice device, long memoryBytes, int sharedRounds)
      throws IOException {
    device.makeCurrent();
    CudaDriver driver = device.driver();
    CudaDriver.Module module = driver.load(ptx());
    CudaDriver.Function memory = driver.function(module, "readMemory");
    CudaDriver.Function shared = driver.function(module, "readShared");
    int blocks = 4 * device.shape().multiprocessors();
    DeviceMemory words = device.allocate(memoryBytes);
    DeviceMemory out = device.allocate(Integer.BYTES);
    CudaDriver.Stream stream = driver.createStream();
    try {
      double read = fastest(driver, memory, stream, blocks, words, out, memoryBytes, 0);
      double sharedTime = fastest(driver, shared, stream, blocks, words, out, 0, sharedRounds);
      double launch = launchNanos(driver, memory, stream, words, out);
      double sharedBytes = (double) blocks * THREADS * sharedRounds * CHAINS * Integer.BYTES;
      return new DeviceLimits(
          memoryBytes / (read / 1e3), sharedBytes / (sharedTime / 1e3), launch / 1e3);
    } finally {
      device.free(words, memoryBytes);
      device.free(out, Integer.BYTES);
    }
  }

  private static byte[] ptx() throws IOException {
    try (InputStream file = DeviceLimits.class.getResourceAsStream("limits.ptx")) {
      byte[] text = Objects.requireNonNull(file, "limits.ptx").readAllBytes();
      return Arrays.copyOf(text, text.length + 1);
    }
  }

  private static CudaDriver.Arguments arguments(
      CudaDriver driver, DeviceMemory words, DeviceMemory out, long bytes, int rounds) {
    ByteBuffer struct = ByteBuffer.allocateDirect(STRUCT_BYTES).order(ByteOrder.nativeOrder());
    struct.putLong(words.address()).putLong(out.address()).putLong(bytes / Integer.BYTES);
    return driver.arguments(struct.putInt(rounds).putInt(0));
  }

  private static void await(CudaDriver driver, CudaDriver.Stream stream) {
    while (!driver.isDone(stream)) {
      Thread.onSpinWait();
    }
  }

  /** Milliseconds of the fastest run. */
  private static double fastest(
      CudaDriver driver,
      CudaDriver.Function kernel,
      CudaDriver.Stream stream,
      int blocks,
      DeviceMemory words,
      DeviceMemory out,
      long bytes,
      int rounds) {
    CudaDriver.Arguments arguments = arguments(driver, words, out, bytes, rounds);
    CudaDriver.Event before = driver.createEvent();
    CudaDriver.Event after = driver.createEvent();
    double least = Double.MAX_VALUE;
    for (int run = 0; run < RUNS; run++) {
      driver.record(before, stream);
      driver.launch(kernel, blocks, 1, THREADS, 0, stream, arguments);
      driver.record(after, stream);
      await(driver, stream);
      least = Math.min(least, driver.milliseconds(before, after));
    }
    driver.destroy(before);
    driver.destroy(after);
    return least;
  }

  private static double launchNanos(
      CudaDriver driver,
      CudaDriver.Function kernel,
      CudaDriver.Stream stream,
      DeviceMemory words,
      DeviceMemory out) {
    CudaDriver.Arguments arguments = arguments(driver, words, out, 0, 0);
    long least = Long.MAX_VALUE;
    for (int run = 0; run < 20 * RUNS; run++) {
      long start = System.nanoTime();
      driver.launch(kernel, 1, 1, THREADS, 0, stream, arguments);
      await(driver, stream);
      least = Math.min(least, System.nanoTime() - start);
    }
    return least;
  }
}
