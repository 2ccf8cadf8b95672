package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.Scratch;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Scores each call where it is cheaper: on the device or on the CPU, with the same bits. A call
 * that fails on the device is scored on the CPU, and so are all later ones once the device is lost;
 * {@link #usage()} tells how often.
 */
public final class OffloadScorer implements EnsembleScorer, AutoCloseable {
  /**
   * Where calls were scored.
   *
   * @param device calls scored on the device
   * @param cpu calls scored on the CPU because that was cheaper
   * @param failed calls the device failed, scored on the CPU
   * @param lost why the device is no longer used, or empty
   */
  public record Usage(long device, long cpu, long failed, String lost) {}

  private record CpuScratch(Scratch cpu) implements Scratch {
    @Override
    public long bytes() {
      return cpu.bytes();
    }
  }

  private final DeviceScorer device;
  private final EnsembleScorer cpu;
  private final @Nullable LinearCost deviceCost;
  private final LinearCost cpuCost;
  private final LongAdder onDevice = new LongAdder();
  private final LongAdder onCpu = new LongAdder();
  private final LongAdder failed = new LongAdder();

  OffloadScorer(
      DeviceScorer device,
      EnsembleScorer cpu,
      @Nullable LinearCost deviceCost,
      LinearCost cpuCost) {
    this.device = device;
    this.cpu = cpu;
    this.deviceCost = deviceCost;
    this.cpuCost = cpuCost;
  }

  /** Uses the device for every call it does not fail. */
  static OffloadScorer alwaysOnDevice(DeviceScorer device) {
    return new OffloadScorer(device, cpu(device.ensemble()), null, new LinearCost(0, 0));
  }

  /** Times both and decides by that. */
  static OffloadScorer byCost(DeviceScorer device, EnsembleScorer cpu) {
    return new OffloadScorer(device, cpu, LinearCost.measure(device), LinearCost.measure(cpu));
  }

  private static EnsembleScorer cpu(TreeEnsemble ensemble) {
    return ScorerCompiler.compile(ensemble, Algorithm.AUTO);
  }

  @Override
  public TreeEnsemble ensemble() {
    return device.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return device.algorithm();
  }

  /** Bytes on the host; {@link #deviceBytes()} come on top. */
  @Override
  public long bytes() {
    return cpu.bytes();
  }

  /** Bytes of the model in device memory. */
  public long deviceBytes() {
    return device.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new CpuScratch(cpu.newScratch());
  }

  public Usage usage() {
    String lost = device.device().lost();
    return new Usage(onDevice.sum(), onCpu.sum(), failed.sum(), lost == null ? "" : lost);
  }

  /** Whether a call of so many documents goes to the device. */
  boolean prefersDevice(int documents) {
    return device.device().lost() == null
        && (deviceCost == null || deviceCost.nanos(documents) < cpuCost.nanos(documents));
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    if (prefersDevice(matrix.documents())) {
      try {
        device.score(matrix, scratch, scores);
        onDevice.increment();
        return;
      } catch (CudaException e) {
        // The device logged why; the CPU's scores replace whatever was written so far.
        failed.increment();
      }
    } else {
      onCpu.increment();
    }
    cpu.score(matrix, ((CpuScratch) scratch).cpu, scores);
  }

  /** Frees the device's memory. Later calls are errors. */
  @Override
  public void close() {
    device.close();
  }
}
