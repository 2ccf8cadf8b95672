// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Every way to cut a call: kernels, split trees, tree blocks, batches on two streams, threads. */
final class BatchingTest {
  private final SplittableRandom random = Seeds.random("batching");

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  private void check(EnsembleScorer scorer, int documents) {
    FeatureMatrix matrix = Values.documents(random, scorer.ensemble(), documents);
    assertArrayEquals(
        score(ReferenceScorer.compile(scorer.ensemble()), matrix), score(scorer, matrix));
  }

  @Test
  void everyKernelWholeAndSplit() {
    TreeSet<String> seen = new TreeSet<>();
    for (int ordinal = 0; ordinal < 2; ordinal++) {
      GpuDevice device = Standin.device(ordinal);
      for (int leaves : new int[] {4, 64, 1024}) {
        for (int trees : new int[] {5, 1100}) {
          if (leaves == 1024 && trees == 1100) {
            continue;
          }
          RandomEnsembles recipe = RandomEnsembles.of(random).trees(trees).leaves(1, leaves);
          walk(device, recipe.build(), seen);
          walk(device, recipe.categorical().features(60).build(), seen);
        }
      }
      TreeEnsemble large = RandomEnsembles.of(random).trees(600).leaves(500, 600).build();
      walk(device, large, seen);
      RandomEnsembles levels = RandomEnsembles.of(random).oblivious().leaves(1, 100);
      walk(device, levels.trees(300).build(), seen);
      walkSplit(device, levels.build(), seen);
      walk(device, levels.trees(700).features(3000).build(), seen);
      // As many tiles of the largest size as the device has multiprocessors.
      try (GpuTraversalScorer scorer =
          DeviceScorers.traversal(RandomEnsembles.of(random).trees(6).build(), device)) {
        int documents = 256 * device.shape().multiprocessors();
        seen.add(scorer.plan(documents).kernel() + " whole");
        check(scorer, documents);
      }
    }
    for (String kernel :
        List.of(
            "walkShared",
            "walkShifted",
            "walkLargeTrees",
            "walkManyColumns",
            "walkOblivious",
            "walkObliviousManyColumns",
            "walkLarge")) {
      assertTrue(seen.contains(kernel + " whole"), seen.toString());
    }
    assertTrue(seen.contains("walkShifted split"), seen.toString());
    assertTrue(seen.contains("walkOblivious split"), seen.toString());
  }

  private void walk(GpuDevice device, TreeEnsemble ensemble, TreeSet<String> seen) {
    try (GpuTraversalScorer scorer = DeviceScorers.traversal(ensemble, device)) {
      for (int documents : new int[] {1, 40, 300}) {
        WalkPlan plan = scorer.plan(documents);
        seen.add(plan.kernel() + (plan.split() ? " split" : " whole"));
        check(scorer, documents);
      }
    }
  }

  /** Whatever the costs say: the last plan, which has many runs of trees. */
  private void walkSplit(GpuDevice device, TreeEnsemble ensemble, TreeSet<String> seen) {
    WalkPlan.Planner planner =
        (on, work) -> WalkPlan.candidates(on.shape(), work, on.batchBytes()).getLast();
    try (GpuTraversalScorer scorer =
        GpuTraversalScorer.compile(ensemble, device, planner, CompileProgress.NONE)) {
      for (int documents : new int[] {1, 40, 100}) {
        WalkPlan plan = scorer.plan(documents);
        assertTrue(plan.split(), plan.toString());
        seen.add(plan.kernel() + " split");
        check(scorer, documents);
      }
    }
  }

  @Test
  void severalTreeBlocks() {
    GpuDevice device = Standin.device(0);
    for (int leaves : new int[] {32, 64, 100}) {
      TreeEnsemble ensemble =
          RandomEnsembles.of(random)
              .categorical()
              .accumulator(Accumulator.FLOAT)
              .trees(50)
              .leaves(1, leaves)
              .build();
      for (int trees : new int[] {1, 7, 50}) {
        try (GpuQuickScorer scorer =
            GpuQuickScorer.compile(
                ensemble, device, new TreeBlocks(trees, 128), CompileProgress.NONE)) {
          check(scorer, 70);
        }
      }
    }
  }

  /** 64 MB hold the leaf values of 209 documents of 40,000 trees: three batches, on two streams. */
  @Test
  void moreDocumentsThanABatch() {
    GpuDevice device = Standin.device(0);
    TreeEnsemble ensemble = RandomEnsembles.of(random).trees(40_000).leaves(1, 2).build();
    try (GpuQuickScorer scorer = DeviceScorers.quick(ensemble, device)) {
      long before = Standin.launches();
      check(scorer, 430);
      assertTrue(Standin.launches() - before >= 3 * 3, "fewer batches than expected");
    }
  }

  @Test
  void threadsShareADevice() throws Exception {
    GpuDevice device = Standin.device(0);
    TreeEnsemble ensemble = RandomEnsembles.of(random).trees(30).build();
    FeatureMatrix matrix = Values.documents(random, ensemble, 60);
    double[] expected = score(ReferenceScorer.compile(ensemble), matrix);
    try (GpuTraversalScorer scorer = DeviceScorers.traversal(ensemble, device);
        ExecutorService threads = Executors.newFixedThreadPool(2 * GpuDevice.STREAMS)) {
      List<Future<double[]>> results = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        results.add(threads.submit(() -> score(scorer, matrix)));
      }
      for (Future<double[]> result : results) {
        assertArrayEquals(expected, result.get());
      }
    }
    device.trim();
    assertEquals(0, device.bytes());
  }
}
