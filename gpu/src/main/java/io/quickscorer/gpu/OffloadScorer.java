// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Scores each call on the device (GPU) or on the CPU, with bit-identical scores. If a call fails on
 * the device, the CPU scores that call. After the device is lost, the CPU scores all calls.
 */
final class OffloadScorer implements EnsembleScorer {
  /**
   * Numbers of calls, and the state of the device.
   *
   * @param device calls scored on the device
   * @param cpu calls scored on the CPU because that was cheaper
   * @param failed calls that failed on the device and were then scored on the CPU
   * @param lost why the device is no longer used; empty if it is used
   */
  public record Usage(long device, long cpu, long failed, String lost) {}

  private static final class CpuScratch implements Scratch {
    private final Scratch cpu;

    /** The algorithm of the device if the device scored the last call; otherwise null. */
    private @Nullable Algorithm deviceAlgorithm;

    CpuScratch(Scratch cpu) {
      this.cpu = cpu;
    }

    @Override
    public long bytes() {
      return cpu.bytes();
    }

    @Override
    public @Nullable Algorithm lastEngine() {
      return deviceAlgorithm == null ? cpu.lastEngine() : deviceAlgorithm;
    }
  }

  /**
   * If the CPU is cheaper even for this many documents, the device is never used. Real calls have
   * fewer documents.
   */
  private static final int MAX_DOCUMENTS = 1 << 17;

  /** The approximate share (0 to 1) of the compile time that the CPU's engines take. */
  private static final double SHARE_OF_CPU = 0.9;

  private final Algorithm name;
  private final DeviceScorer device;
  private final EnsembleScorer cpu;
  private final @Nullable AffineCostModel deviceCost;
  private final AffineCostModel cpuCost;
  private final LongAdder onDevice = new LongAdder();
  private final LongAdder onCpu = new LongAdder();
  private final LongAdder failed = new LongAdder();

  private OffloadScorer(
      Algorithm name,
      DeviceScorer device,
      EnsembleScorer cpu,
      @Nullable AffineCostModel deviceCost,
      AffineCostModel cpuCost) {
    this.name = name;
    this.device = device;
    this.cpu = cpu;
    this.deviceCost = deviceCost;
    this.cpuCost = cpuCost;
  }

  /**
   * Compiles an ensemble for the CPU, then for a device that scores every call. The CPU is first,
   * so that a compilation that is cancelled early leaves no device memory to free.
   *
   * @param excluded engines that the CPU must not use
   */
  static <S extends DeviceScorer> OffloadScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      GpuRuntime.Compiler<S> compiler,
      CompileProgress progress) {
    EnsembleScorer cpu =
        ScorerCompiler.compile(ensemble, Algorithm.CPU, excluded, progress.part(0, SHARE_OF_CPU));
    CompileProgress rest = progress.part(SHARE_OF_CPU, 1);
    return alwaysOnDevice(GpuRuntime.get().compile(ensemble, algorithm, compiler, rest), cpu);
  }

  /** Returns a scorer that uses the device for every call, and the CPU only if the device fails. */
  static OffloadScorer alwaysOnDevice(DeviceScorer device, EnsembleScorer cpu) {
    return new OffloadScorer(device.algorithm(), device, cpu, null, new AffineCostModel(0, 0));
  }

  /**
   * Measures two scorers, and returns a scorer that uses the cheaper one for each call. Returns
   * {@code cpu} if the device is never cheaper, if it fails, or if there are too many features to
   * measure.
   */
  static EnsembleScorer byCost(DeviceScorer device, EnsembleScorer cpu) {
    if (!SampleDocuments.fit(cpu.ensemble(), AffineCostModel.MANY)) {
      device.close();
      return cpu;
    }
    try {
      return byCost(device, cpu, AffineCostModel.measure(device), AffineCostModel.measure(cpu));
    } catch (CudaException e) {
      device.close();
      return cpu;
    }
  }

  /**
   * Returns a scorer that uses the cheaper one of two scorers for each call. Returns {@code cpu} if
   * the device is never cheaper.
   *
   * @param deviceCost estimates the time of a call on the device
   * @param cpuCost estimates the time of a call on the CPU
   */
  static EnsembleScorer byCost(
      DeviceScorer device,
      EnsembleScorer cpu,
      AffineCostModel deviceCost,
      AffineCostModel cpuCost) {
    if (deviceCost.nanos(MAX_DOCUMENTS) < cpuCost.nanos(MAX_DOCUMENTS)) {
      return new OffloadScorer(cpu.algorithm(), device, cpu, deviceCost, cpuCost);
    }
    device.close();
    return cpu;
  }

  @Override
  public TreeEnsemble ensemble() {
    return device.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return name;
  }

  @Override
  public String engine() {
    if (deviceCost == null) {
      return name.label();
    }
    int fewest = deviceCost.cheaperFrom(cpuCost);
    return cpu.engine() + "; " + device.algorithm().label() + " from " + fewest + " documents";
  }

  /** Returns the memory on the host in bytes. Device memory is not included. */
  @Override
  public long bytes() {
    return cpu.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new CpuScratch(cpu.newScratch());
  }

  @Override
  public long scratchBytes(int documents) {
    return cpu.scratchBytes(documents);
  }

  @Override
  public boolean uses(Algorithm engine) {
    return device.algorithm() == engine || cpu.uses(engine);
  }

  public Usage usage() {
    String lost = device.device().lost();
    return new Usage(onDevice.sum(), onCpu.sum(), failed.sum(), lost == null ? "" : lost);
  }

  /**
   * Returns whether the device, not the CPU, scores a call with this many documents. The estimated
   * time on the device includes the other calls that run there now: each counts as much as this
   * call.
   */
  boolean prefersDevice(int documents) {
    GpuDevice gpu = device.device();
    return gpu.lost() == null
        && (deviceCost == null
            || deviceCost.nanos(documents) * (1 + gpu.underWay()) < cpuCost.nanos(documents));
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    CpuScratch buffers = (CpuScratch) scratch;
    if (prefersDevice(matrix.documents())) {
      try {
        device.score(matrix, scratch, scores, checkpoint);
        buffers.deviceAlgorithm = device.algorithm();
        onDevice.increment();
        return;
      } catch (CudaException e) {
        // The CPU overwrites the scores that were already written.
        failed.increment();
      }
    } else {
      onCpu.increment();
    }
    buffers.deviceAlgorithm = null;
    cpu.score(matrix, buffers.cpu, scores, checkpoint);
  }

  @Override
  public void close() {
    device.close();
    cpu.close();
  }
}
