// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each call goes where it is cheaper, with the same bits. */
final class OffloadScorerTest {
  private final SplittableRandom random = Seeds.random("offload");
  private final TreeEnsemble ensemble = RandomEnsembles.of(random).trees(12).build();
  private final EnsembleScorer cpu = ScorerCompiler.compile(ensemble, Algorithm.CPU);

  /** Returns the engine that scored, by its own account. */
  private Algorithm check(EnsembleScorer scorer, int documents) {
    FeatureMatrix matrix = Values.documents(random, ensemble, documents);
    double[] expected = new double[documents];
    double[] scores = new double[documents];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(matrix, reference.newScratch(), expected);
    Scratch scratch = scorer.newScratch();
    scorer.score(matrix, scratch, scores);
    assertArrayEquals(expected, scores);
    Algorithm last = Objects.requireNonNull(scratch.lastEngine());
    assertTrue(scorer.uses(last));
    return last;
  }

  @Test
  void callsGoWhereTheyAreCheaper() {
    DeviceScorer device = DeviceScorers.traversal(ensemble, Standin.device(0));
    // Equal at 100 documents.
    OffloadScorer scorer =
        assertInstanceOf(
            OffloadScorer.class,
            OffloadScorer.byCost(
                device, cpu, new AffineCostModel(1000, 1), new AffineCostModel(0, 11)));
    assertEquals(Algorithm.CPU, scorer.algorithm());
    for (int documents : new int[] {1, 99, 100, 101, 300}) {
      assertEquals(documents > 100, check(scorer, documents) == Algorithm.GPU);
    }
    assertEquals(new OffloadScorer.Usage(2, 3, 0, ""), scorer.usage());
    assertEquals(cpu.engine() + "; gpu from 101 documents", scorer.engine());
    Accelerators.Device state = device.device().accelerator();
    assertEquals(2, state.calls());
    assertEquals(0, state.failures());
    assertEquals(device.device().bytes(), state.bytes());
    assertTrue(state.pinnedBytes() >= 300L * Double.BYTES, state::toString);
    scorer.close();
    assertEquals(0, device.device().bytes() - streams(device));
  }

  private static long streams(DeviceScorer device) {
    long before = device.device().bytes();
    device.device().trim();
    return before - device.device().bytes();
  }

  @Test
  void theCpuAloneWhereTheDeviceNeverPays() {
    GpuDevice device = Standin.device(0);
    DeviceScorer scorer = DeviceScorers.traversal(ensemble, device);
    assertSame(
        cpu,
        OffloadScorer.byCost(scorer, cpu, new AffineCostModel(1000, 2), new AffineCostModel(0, 1)));
    device.trim();
    assertEquals(0, device.bytes());
  }

  @Test
  void busyDevicesLeaveCallsToTheCpu() {
    DeviceScorer onDevice = DeviceScorers.traversal(ensemble, Standin.device());
    OffloadScorer scorer =
        (OffloadScorer)
            OffloadScorer.byCost(
                onDevice, cpu, new AffineCostModel(100, 1), new AffineCostModel(0, 10));
    GpuDevice device = onDevice.device();
    assertTrue(scorer.prefersDevice(50));
    device.begins();
    assertTrue(scorer.prefersDevice(50));
    device.begins();
    device.begins();
    assertFalse(scorer.prefersDevice(50));
    device.ends();
    device.ends();
    device.ends();
    assertTrue(scorer.prefersDevice(50));
    scorer.close();
  }

  @Test
  void autoAndNamedScorersAreFoundByTheCore() {
    Standin.require();
    for (Algorithm algorithm :
        new Algorithm[] {Algorithm.AUTO, Algorithm.CPU, Algorithm.GPU, Algorithm.GPU_QS}) {
      EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
      assertEquals(algorithm, scorer.algorithm());
      check(scorer, 20);
      scorer.close();
    }
    Accelerators found = ScorerCompiler.accelerators();
    assertEquals(
        List.of("Emulated 9.0", "Emulated 8.6"),
        found.devices().stream().map(Accelerators.Device::name).toList());
    assertTrue(found.devices().stream().mapToLong(Accelerators.Device::calls).sum() >= 2);
    assertEquals("", found.unavailable());
  }

  @Test
  void theCpuBesideANamedDeviceIsWithoutExcludedEngines() {
    Standin.require();
    Algorithm excluded = check(cpu, 20);
    for (Algorithm algorithm : new Algorithm[] {Algorithm.GPU, Algorithm.GPU_QS}) {
      EnsembleScorer scorer =
          ScorerCompiler.compile(ensemble, algorithm, Set.of(excluded), CompileProgress.NONE);
      assertEquals(algorithm, scorer.algorithm());
      assertFalse(scorer.uses(excluded), excluded::label);
      scorer.close();
    }
  }
}
