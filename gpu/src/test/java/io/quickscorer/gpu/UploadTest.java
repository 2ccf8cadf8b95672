// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * A model is on its device before anything reads it. The driver may return from a copy of pageable
 * memory before the bytes are on the device, and streams that do not block on the default stream do
 * not wait for them.
 */
final class UploadTest {
  private final SplittableRandom random = Seeds.random("upload");
  private final TreeEnsemble ensemble = RandomEnsembles.of(random).trees(40).build();
  private final FeatureMatrix matrix = Values.documents(random, ensemble, 500);

  private double[] score(EnsembleScorer scorer) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  @Test
  void quickScorerIsThereBeforeItIsRead() {
    check(DeviceScorers::quick);
  }

  @Test
  void traversalIsThereBeforeItIsRead() {
    check(DeviceScorers::traversal);
  }

  private void check(BiFunction<TreeEnsemble, GpuDevice, DeviceScorer> compiler) {
    double[] expected = score(ReferenceScorer.compile(ensemble));
    try (DeviceScorer scorer = compiler.apply(ensemble, Standin.device(0))) {
      assertArrayEquals(expected, score(scorer));
      assertEquals(0, Standin.uploads(), "a copy is still under way");
    }
  }
}
