// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.gpu.CudaDriver.Attribute;
import io.quickscorer.gpu.CudaDriver.DeviceMemory;
import io.quickscorer.scorer.Accelerators;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A GPU (the device): its context, kernels, memory and streams. Safe for use by several threads.
 *
 * <p>After a failure that is not temporary, the device counts as lost. The driver then refuses all
 * work of this process, so the device is not used again until a restart.
 */
final class GpuDevice {
  /** Maximum number of simultaneous calls, each of which has a separate stream and buffers. */
  static final int STREAMS = 4;

  /** Maximum time to wait for a batch or a stream; the longest batch takes about 1/50 of it. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private static final long MIN_BATCH_BYTES = 64L << 20;
  private static final long MAX_BATCH_BYTES = 512L << 20;

  /** A stream's buffers may use the free device memory divided by this number. */
  private static final int MEMORY_SHARES = 32;

  private static final Logger LOG = System.getLogger(GpuDevice.class.getName());

  /** The result code of the exceptions that all calls on a lost device throw. */
  private static final int LOST = 46;

  private static final String MODULE = "quickscorer.ptx";
  private static final int OLDEST_CAPABILITY = 80;
  private static final String[] KERNELS = {
    "rankValues",
    "sumLeaves",
    "updateScores32",
    "updateScores64",
    "updateScoresWide",
    "walkShared",
    "walkShifted",
    "walkLargeTrees",
    "walkManyColumns",
    "walkOblivious",
    "walkObliviousManyColumns",
    "walkLarge"
  };

  private final CudaDriver driver;
  private final String name;
  private final DeviceShape shape;
  private final CudaDriver.Context context;
  private final Map<String, CudaDriver.Function> kernels = new HashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong pinnedBytes = new AtomicLong();
  private final LongAdder calls = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final Semaphore freeStreams = new Semaphore(STREAMS);
  private final ArrayDeque<DeviceStream> idle = new ArrayDeque<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Duration deadline;
  private final Executor threads;
  private final long batchBytes;
  private volatile @Nullable String lost;
  private volatile boolean capturing = true;

  /**
   * Opens a device.
   *
   * @throws CudaException if the driver cannot load the kernels
   * @throws IllegalArgumentException if the device is too old for the kernels
   */
  GpuDevice(CudaDriver driver, int ordinal) {
    this(driver, ordinal, DEADLINE, BoundedCalls.THREADS);
  }

  /**
   * Opens a device.
   *
   * @param deadline maximum time to wait for a batch or for a free stream
   */
  GpuDevice(CudaDriver driver, int ordinal, Duration deadline, Executor threads) {
    this.driver = driver;
    this.deadline = deadline;
    this.threads = threads;
    this.name = driver.name(ordinal);
    int capability =
        10 * driver.attribute(ordinal, Attribute.CAPABILITY_MAJOR)
            + driver.attribute(ordinal, Attribute.CAPABILITY_MINOR);
    if (capability < OLDEST_CAPABILITY) {
      throw new IllegalArgumentException(
          name + ": compute capability " + capability / 10.0 + ", expected 8.0 or higher");
    }
    this.shape =
        new DeviceShape(
            driver.attribute(ordinal, Attribute.MULTIPROCESSORS),
            driver.attribute(ordinal, Attribute.THREADS_PER_MULTIPROCESSOR),
            driver.attribute(ordinal, Attribute.BLOCKS_PER_MULTIPROCESSOR),
            driver.attribute(ordinal, Attribute.SHARED_BYTES_PER_MULTIPROCESSOR),
            driver.attribute(ordinal, Attribute.SHARED_BYTES_PER_BLOCK),
            driver.attribute(ordinal, Attribute.L2_BYTES),
            capability);
    this.context = driver.retainContext(ordinal);
    try {
      driver.makeCurrent(context);
      this.batchBytes =
          Math.clamp(driver.freeBytes() / MEMORY_SHARES, MIN_BATCH_BYTES, MAX_BATCH_BYTES);
      loadKernels();
    } catch (RuntimeException e) {
      // A context takes hundreds of megabytes of device memory.
      driver.releaseContext(ordinal);
      throw e;
    }
  }

  private void loadKernels() {
    CudaDriver.Module module = driver.load(ptx());
    for (String kernel : KERNELS) {
      CudaDriver.Function function = driver.function(module, kernel);
      if (!kernel.equals("rankValues")) {
        driver.allowShared(function, shape.sharedBytesPerBlock());
      }
      kernels.put(kernel, function);
    }
  }

  private static byte[] ptx() {
    try (InputStream file = GpuDevice.class.getResourceAsStream(MODULE)) {
      if (file == null) {
        throw new IllegalArgumentException(MODULE + " is missing from the GPU module's JAR");
      }
      byte[] text = file.readAllBytes();
      return Arrays.copyOf(text, text.length + 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  CudaDriver driver() {
    return driver;
  }

  String name() {
    return name;
  }

  DeviceShape shape() {
    return shape;
  }

  /** Returns the maximum device memory of a batch, in bytes. */
  long batchBytes() {
    return batchBytes;
  }

  CudaDriver.Function kernel(String kernel) {
    CudaDriver.Function function = kernels.get(kernel);
    if (function == null) {
      throw new IllegalArgumentException("the GPU module has no kernel [" + kernel + "]");
    }
    return function;
  }

  /** Makes the device current for the calling thread, as the driver requires for most calls. */
  void makeCurrent() {
    driver.makeCurrent(context);
  }

  /** Returns the allocated device memory in bytes. */
  long bytes() {
    return bytes.get();
  }

  /** Returns the allocated page-locked host memory in bytes. */
  long pinnedBytes() {
    return pinnedBytes.get();
  }

  /**
   * Makes a driver call that may hang, and returns its result. After a call that takes too long,
   * the device counts as lost.
   *
   * @param name the driver's function, for messages
   */
  <T> T call(String name, Supplier<T> call) {
    String why = lost;
    if (why != null) {
      throw new CudaException(name, LOST, why);
    }
    try {
      return BoundedCalls.within(
          deadline,
          threads,
          name,
          () -> {
            makeCurrent();
            return call.get();
          });
    } catch (CudaException e) {
      if (e.timedOut()) {
        failed(e);
      }
      throw e;
    }
  }

  /** Makes a driver call without a result. If it takes too long, the device counts as lost. */
  void run(String name, Runnable call) {
    call(
        name,
        () -> {
          call.run();
          return name;
        });
  }

  DeviceMemory allocate(long size) {
    return call("cuMemAlloc", () -> counted(driver.allocate(size), bytes, size));
  }

  private static <T> T counted(T memory, AtomicLong counter, long size) {
    counter.addAndGet(size);
    return memory;
  }

  /** Copies bytes to device memory, and waits for the copy. */
  void upload(ByteBuffer from, DeviceMemory to) {
    run("cuMemcpyHtoD", () -> driver.copy(from, to));
  }

  /** Frees device memory of {@code size} bytes. Does nothing if the device is lost. */
  void free(DeviceMemory memory, long size) {
    if (lost == null) {
      run("cuMemFree", () -> driver.free(memory));
      bytes.addAndGet(-size);
    }
  }

  CudaDriver.PinnedMemory allocatePinned(long size) {
    return call("cuMemAllocHost", () -> counted(driver.allocatePinned(size), pinnedBytes, size));
  }

  /** Frees {@code size} bytes of page-locked memory. Does nothing if the device is lost. */
  void freePinned(CudaDriver.PinnedMemory memory, long size) {
    if (lost == null) {
      run("cuMemFreeHost", () -> driver.freePinned(memory));
      pinnedBytes.addAndGet(-size);
    }
  }

  /** Returns the maximum time to wait for a batch or for a free stream. */
  Duration deadline() {
    return deadline;
  }

  /** Returns how many calls use the device or wait for a stream now. */
  int underWay() {
    return underWay.get();
  }

  void begins() {
    underWay.incrementAndGet();
  }

  void ends() {
    underWay.decrementAndGet();
  }

  /**
   * Returns a stream for exclusive use. Waits if all streams are in use.
   *
   * @throws CudaException if no stream becomes free within {@link #deadline}, or the device is lost
   */
  DeviceStream acquireStream() {
    boolean acquired = false;
    try {
      acquired = freeStreams.tryAcquire(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!acquired) {
      throw CudaException.busy(name);
    }
    String why = lost;
    if (why != null) {
      freeStreams.release();
      throw new CudaException(name, LOST, why);
    }
    return idleStream();
  }

  /** Returns a stream for exclusive use; null if all streams are in use. */
  @Nullable DeviceStream tryAcquireStream() {
    return freeStreams.tryAcquire() ? idleStream() : null;
  }

  private DeviceStream idleStream() {
    synchronized (idle) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    try {
      return new DeviceStream(this);
    } catch (RuntimeException e) {
      freeStreams.release();
      throw e;
    }
  }

  void release(DeviceStream stream) {
    synchronized (idle) {
      idle.push(stream);
    }
    freeStreams.release();
  }

  /** Returns whether small batches are launched as CUDA graphs (see {@link CapturedBatches}). */
  boolean capturing() {
    return capturing;
  }

  /** Turns CUDA graphs on or off. They are off for drivers without graphs and for measurements. */
  void capturing(boolean on) {
    capturing = on;
  }

  void scored() {
    calls.increment();
  }

  /** Adds 1 to the number of calls that failed on the device. */
  void notScored() {
    failures.increment();
  }

  Accelerators.Device accelerator() {
    String why = lost;
    return new Accelerators.Device(
        name, bytes(), pinnedBytes(), calls.sum(), failures.sum(), why == null ? "" : why);
  }

  /** Returns why the device can no longer be used; null if it can be used. */
  @Nullable String lost() {
    return lost;
  }

  /** Handles a failed call: the device counts as lost, unless the failure may be temporary. */
  void failed(CudaException failure) {
    if (failure.passes()) {
      return;
    }
    boolean first;
    synchronized (idle) {
      first = lost == null;
      lost = first ? failure.getMessage() : lost;
    }
    if (first) {
      LOG.log(
          Level.WARNING,
          "{0} failed and is not used until the JVM restarts; models are scored on the CPU: {1}",
          name,
          lost);
    }
  }

  /** Frees the buffers of the streams that no call uses. */
  void trim() {
    if (lost == null) {
      makeCurrent();
    }
    synchronized (idle) {
      idle.forEach(DeviceStream::trim);
    }
  }
}
