// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.CompileProgressContract;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class GpuCompileProgressTest extends CompileProgressContract {
  @BeforeAll
  static void standin() {
    Standin.require();
  }

  /** The algorithms with their part for the CPU, and the devices' engines without it. */
  @Override
  protected Map<String, Compilation> compilations() {
    Map<String, Compilation> compilations = new LinkedHashMap<>();
    for (Algorithm algorithm : new Algorithm[] {Algorithm.GPU_QS, Algorithm.GPU, Algorithm.AUTO}) {
      compilations.put(
          algorithm.label(),
          (ensemble, progress) -> ScorerCompiler.compile(ensemble, algorithm, progress));
    }
    compilations.put("gpu-qs alone", alone(GpuQuickScorer::compile));
    compilations.put("gpu alone", alone(DeviceScorers::traversal));
    return compilations;
  }

  private static Compilation alone(GpuRuntime.Compiler<?> compiler) {
    return (ensemble, progress) -> {
      EnsembleScorer scorer = compiler.compile(ensemble, GpuRuntime.get().next(), progress);
      progress.report(1, 1);
      return scorer;
    };
  }

  @Test
  void whatIsStoppedBetweenTreeBlocksHoldsNothing() {
    GpuDevice device = Standin.device(0);
    AtomicLong held = new AtomicLong();
    AtomicReference<Double> share = new AtomicReference<>(0.0);
    CompileProgress progress =
        CompileProgress.of(
            share::set,
            () -> {
              held.set(device.bytes());
              return share.get() >= 0.9;
            });
    assertThrows(
        CancellationException.class,
        () -> GpuQuickScorer.compile(ensemble, device, new TreeBlocks(TREES / 4, 128), progress));
    assertTrue(held.get() > 0, "the blocks before were there");
    assertEquals(0, device.bytes());
  }

  @TestFactory
  Stream<DynamicTest> whatIsStoppedAtTheVeryEndHoldsNothing() {
    return Stream.of(Algorithm.GPU_QS, Algorithm.GPU, Algorithm.AUTO)
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> freed(algorithm)));
  }

  private void freed(Algorithm algorithm) {
    AtomicInteger reports = new AtomicInteger();
    CompileProgress counting = CompileProgress.of(share -> reports.incrementAndGet(), () -> false);
    ScorerCompiler.compile(ensemble, algorithm, counting).close();
    long before = deviceBytes();
    CompileProgress stopping =
        CompileProgress.of(share -> {}, () -> reports.decrementAndGet() == 0);
    assertThrows(
        CancellationException.class, () -> ScorerCompiler.compile(ensemble, algorithm, stopping));
    // Less than before, if a scorer that another test left was freed meanwhile.
    assertTrue(deviceBytes() <= before, () -> deviceBytes() + " bytes, before " + before);
  }

  private static long deviceBytes() {
    GpuRuntime.get().devices.forEach(GpuDevice::trim);
    return Standin.deviceBytes();
  }
}
