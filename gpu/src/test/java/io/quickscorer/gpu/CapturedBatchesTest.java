// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Small batches launched as graphs: the same bits, nothing kept too long, no failure that shows.
 */
final class CapturedBatchesTest {
  private static final int LAUNCH_FAILED = 719;

  private final SplittableRandom random = Seeds.random("graphs");
  private final TreeEnsemble ensemble =
      RandomEnsembles.of(random).trees(40).leaves(1, 80).categorical().build();

  @BeforeEach
  void require() {
    Standin.require();
  }

  @AfterEach
  void heal() {
    Standin.failAfter(0, 0, false);
  }

  private void check(EnsembleScorer scorer, int documents) {
    FeatureMatrix matrix = Values.documents(random, scorer.ensemble(), documents);
    assertArrayEquals(
        score(ReferenceScorer.compile(scorer.ensemble()), matrix), score(scorer, matrix));
  }

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  @Test
  void sameBitsAsOneAndInPieces() {
    GpuDevice device = Standin.device();
    long before = Standin.graphLaunches();
    long graphs = Standin.graphs();
    try (GpuQuickScorer quick = DeviceScorers.quick(ensemble, device);
        GpuTraversalScorer traversal = DeviceScorers.traversal(ensemble, device)) {
      for (int repetition = 0; repetition < 4; repetition++) {
        // Two of a padded size; one that moves the buffers; one on either side of the border.
        for (int documents : new int[] {5, 31, 100, 1024, 1025}) {
          check(quick, documents);
          check(traversal, documents);
        }
      }
    }
    assertTrue(Standin.graphLaunches() >= before + 16, "" + Standin.graphLaunches());
    assertTrue(Standin.graphs() > graphs);
    device.trim();
    assertEquals(graphs, Standin.graphs());
    assertEquals(0, device.bytes());
  }

  @Test
  void graphsAreFewAndAreDroppedWithTheirBuffers() {
    GpuDevice device = Standin.device();
    TreeEnsemble small = RandomEnsembles.of(random).trees(3).build();
    List<DeviceScorer> scorers = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      scorers.add(DeviceScorers.traversal(small, device));
    }
    long before = Standin.graphs();
    check(scorers.getFirst(), 300);
    for (DeviceScorer scorer : scorers) {
      for (int repetition = 0; repetition < 3; repetition++) {
        check(scorer, 20);
      }
    }
    assertEquals(before + 64, Standin.graphs());
    check(scorers.getLast(), 900);
    check(scorers.getLast(), 20);
    assertEquals(before, Standin.graphs());
    scorers.forEach(DeviceScorer::close);
    device.trim();
    assertEquals(0, device.bytes());
  }

  @Test
  void failureAtAnyCall() {
    failureAtAnyCall(DeviceScorers::quick);
    failureAtAnyCall(DeviceScorers::traversal);
  }

  private void failureAtAnyCall(BiFunction<TreeEnsemble, GpuDevice, DeviceScorer> compiler) {
    long failed = 0;
    for (int call = 0; ; call++) {
      GpuDevice device = Standin.device();
      OffloadScorer scorer =
          OffloadScorer.alwaysOnDevice(
              compiler.apply(ensemble, device), ScorerCompiler.compile(ensemble, Algorithm.CPU));
      long launches = Standin.graphLaunches();
      Standin.failAfter(call, LAUNCH_FAILED, true);
      for (int repetition = 0; repetition < 5; repetition++) {
        check(scorer, 10);
      }
      Standin.failAfter(0, 0, false);
      boolean lost = device.lost() != null;
      scorer.close();
      if (!lost) {
        assertEquals(launches + 3, Standin.graphLaunches());
        assertEquals(new OffloadScorer.Usage(5, 0, 0, ""), scorer.usage());
        break;
      }
      failed++;
    }
    assertTrue(failed > 30, failed + " calls");
  }

  @Test
  void driverThatCannotCaptureGetsTheWorkInPieces() {
    boolean stopped = false;
    for (int call = 0; call < 12; call++) {
      GpuDevice device = Standin.device();
      try (GpuTraversalScorer scorer = DeviceScorers.traversal(ensemble, device)) {
        check(scorer, 10);
        check(scorer, 10);
        FeatureMatrix matrix = Values.documents(random, ensemble, 10);
        Standin.failAfter(call, LAUNCH_FAILED, false);
        try {
          double[] scores = score(scorer, matrix);
          assertArrayEquals(score(ReferenceScorer.compile(ensemble), matrix), scores);
          assertNull(device.lost());
          stopped |= !device.capturing();
        } catch (CudaException e) {
          assertFalse(device.lost() == null);
        }
        Standin.failAfter(0, 0, false);
        if (device.lost() == null) {
          check(scorer, 10);
        }
      }
    }
    assertTrue(stopped, "no failure fell on the capture");
  }
}
