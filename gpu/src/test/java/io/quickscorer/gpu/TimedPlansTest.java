// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Plans are timed once per model, by a clock of which nothing but the order of its times counts.
 */
final class TimedPlansTest {
  private static final int LAUNCH_FAILED = 719;

  private final SplittableRandom random = Seeds.random("timed plans");
  private final TreeEnsemble ensemble = RandomEnsembles.of(random).trees(20).build();
  private final GpuDevice device = Standin.device();

  @AfterEach
  void heal() {
    Standin.failAfter(0, 0, false);
  }

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  /** Whatever the costs say, the fastest of those that are timed. */
  @Test
  void theFastestOfTheCheapest() {
    WalkPlan.Work work = new WalkPlan.Work(100, 1000, 136, 512, false, 14, Double.BYTES);
    List<WalkPlan> ranked = WalkCosts.ranked(device, work);
    assertEquals(WalkCosts.cheapest(device, work), ranked.getFirst());
    for (int fastest = 0; fastest < 4; fastest++) {
      WalkPlan expected = ranked.get(fastest);
      List<WalkPlan> timed = new ArrayList<>();
      WalkPlan found =
          TimedPlans.fastest(
              device,
              work,
              plan -> {
                timed.add(plan);
                return plan.equals(expected) ? 1 : 2;
              });
      assertEquals(expected, found);
      assertEquals(ranked.subList(0, 4), timed);
    }
  }

  /**
   * Timed at compilation, not by calls; the scores are the reference's for sizes on either side.
   */
  @Test
  void timedBeforeTheFirstCallAndKept() {
    try (GpuTraversalScorer plain = DeviceScorers.traversal(ensemble, device)) {
      score(plain, Values.documents(random, ensemble, 20));
    }
    long before = Standin.launches();
    try (GpuTraversalScorer scorer =
        GpuTraversalScorer.compileTimed(ensemble, device, CompileProgress.NONE)) {
      long timed = Standin.launches() - before;
      assertTrue(timed >= 2 * 4 * 3, timed + " launches");
      for (int documents : new int[] {1, 32, 33, 64, 100, 1024, 1025}) {
        FeatureMatrix matrix = Values.documents(random, ensemble, documents);
        WalkPlan plan = scorer.plan(documents);
        assertArrayEquals(score(ReferenceScorer.compile(ensemble), matrix), score(scorer, matrix));
        assertEquals(plan, scorer.plan(documents));
      }
      assertEquals(scorer.plan(1), scorer.plan(32));
    }
    device.trim();
    assertEquals(0, device.bytes());
  }

  @Test
  void deviceLostWhileTimingRefusesTheModel() {
    long bytes = Standin.deviceBytes();
    for (int call = 30; call < 60; call += 3) {
      GpuDevice other = Standin.device();
      GpuRuntime one = new GpuRuntime(List.of(other), "");
      Standin.failAfter(call, LAUNCH_FAILED, true);
      assertThrows(
          UnsupportedEnsembleException.class,
          () ->
              one.compile(
                  ensemble, Algorithm.GPU, GpuTraversalScorer::compileTimed, CompileProgress.NONE));
      Standin.failAfter(0, 0, false);
      assertNotEquals("", one.unavailable());
      assertEquals(Standin.deviceBytes() - bytes, other.bytes());
      bytes = Standin.deviceBytes();
    }
  }
}
