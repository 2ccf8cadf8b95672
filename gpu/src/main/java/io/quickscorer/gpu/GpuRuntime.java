// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs (devices) of this process. The search for devices runs only once, because the driver can
 * be loaded only once. Safe for use by several threads.
 */
final class GpuRuntime {
  private static final Logger LOG = System.getLogger(GpuRuntime.class.getName());

  /** Maximum time until the driver has started and all devices have loaded the kernels. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** The GPUs of this process; null before the first call of {@link #get}. */
  private static volatile @Nullable GpuRuntime found;

  /** All devices that could be opened, including devices that were lost later. */
  final List<GpuDevice> devices;

  private final String unavailable;
  private final AtomicInteger turn = new AtomicInteger();

  GpuRuntime(List<GpuDevice> devices, String unavailable) {
    this.devices = List.copyOf(devices);
    this.unavailable = unavailable;
  }

  /** Returns the runtime. The first call loads the driver and opens the devices. */
  static GpuRuntime get() {
    GpuRuntime runtime = Holder.RUNTIME;
    found = runtime;
    return runtime;
  }

  private static final class Holder {
    static final GpuRuntime RUNTIME = find(START_LIMIT, BoundedCalls.THREADS);
  }

  /** Returns the devices that {@link #get} found; {@link Accelerators#NONE} before that call. */
  static Accelerators found() {
    GpuRuntime runtime = found;
    return runtime == null ? Accelerators.NONE : runtime.accelerators();
  }

  Accelerators accelerators() {
    return new Accelerators(
        devices.stream().map(GpuDevice::accelerator).toList(),
        devices.isEmpty() ? unavailable : "");
  }

  /**
   * Returns a runtime with the devices that can be opened in time.
   *
   * @param limit maximum time until the driver has started and the devices are open
   * @param threads runs driver calls that may hang
   */
  static GpuRuntime find(Duration limit, Executor threads) {
    GpuRuntime runtime;
    try {
      runtime = BoundedCalls.within(limit, threads, "cuInit", GpuRuntime::find);
    } catch (CudaException e) {
      runtime = new GpuRuntime(List.of(), String.valueOf(e.getMessage()));
    }
    if (runtime.devices.isEmpty()) {
      LOG.log(Level.INFO, "No GPU is used, models are scored on the CPU: {0}", runtime.unavailable);
    }
    for (GpuDevice device : runtime.devices) {
      LOG.log(Level.INFO, "GPU found: {0}, {1}", device.name(), device.shape());
    }
    return runtime;
  }

  private static GpuRuntime find() {
    DriverLoader.Result result = DriverLoader.load();
    CudaDriver driver = result.driver();
    List<GpuDevice> devices = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    if (driver == null) {
      refused.add(result.reason());
    } else {
      open(driver, devices, refused);
    }
    return new GpuRuntime(devices, devices.isEmpty() ? String.join("; ", refused) : "");
  }

  private static void open(CudaDriver driver, List<GpuDevice> devices, List<String> refused) {
    try {
      int count = driver.devices();
      for (int ordinal = 0; ordinal < count; ordinal++) {
        try {
          devices.add(new GpuDevice(driver, ordinal));
        } catch (CudaException | IllegalArgumentException e) {
          refused.add("device " + ordinal + ": " + e.getMessage());
        }
      }
      if (count == 0) {
        refused.add("the CUDA driver finds no device");
      }
    } catch (CudaException e) {
      refused.add(String.valueOf(e.getMessage()));
    }
  }

  /** Returns why no device can be used now; empty if a device can be used. */
  String unavailable() {
    if (!unavailable.isEmpty()) {
      return unavailable;
    }
    List<String> lost = new ArrayList<>();
    for (GpuDevice device : devices) {
      String why = device.lost();
      if (why == null) {
        return "";
      }
      lost.add(device.name() + " failed and is not used until the JVM restarts: " + why);
    }
    return String.join("; ", lost);
  }

  @FunctionalInterface
  interface Compiler<S extends DeviceScorer> {
    S compile(TreeEnsemble ensemble, GpuDevice device, CompileProgress progress);
  }

  /**
   * Compiles a model for one of the devices. Successive models get different devices in turn.
   *
   * @throws UnsupportedEnsembleException if the engine does not support the ensemble, the device
   *     has too little memory, or no device works
   */
  <S extends DeviceScorer> S compile(
      TreeEnsemble ensemble, Algorithm algorithm, Compiler<S> compiler, CompileProgress progress) {
    GpuDevice device;
    try {
      device = next();
    } catch (IllegalStateException e) {
      throw new UnsupportedEnsembleException(algorithm + ": " + e.getMessage());
    }
    try {
      return compiler.compile(ensemble, device, progress);
    } catch (CudaException e) {
      device.failed(e);
      throw new UnsupportedEnsembleException(
          algorithm + ": " + device.name() + " cannot store the model: " + e.getMessage());
    }
  }

  /**
   * Returns the device for the next model: the next usable one in the list of devices.
   *
   * @throws IllegalStateException if no device can be used
   */
  GpuDevice next() {
    for (int i = 0; i < devices.size(); i++) {
      GpuDevice device = devices.get(Math.floorMod(turn.getAndIncrement(), devices.size()));
      if (device.lost() == null) {
        return device;
      }
    }
    throw new IllegalStateException(unavailable());
  }
}
