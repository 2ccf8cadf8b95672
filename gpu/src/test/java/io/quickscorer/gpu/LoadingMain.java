// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import java.util.Arrays;
import java.util.SplittableRandom;

/** What {@link LoadingTest} runs in other processes: scores on a device if it can, and says so. */
final class LoadingMain {
  private LoadingMain() {}

  public static void main(String[] arguments) {
    TreeEnsemble ensemble = RandomEnsembles.of(new SplittableRandom(1)).features(3).build();
    EnsembleScorer cpu = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    double[] expected = score(cpu);
    try {
      double[] scores = score(ScorerCompiler.compile(ensemble, Algorithm.GPU));
      System.out.println("device: " + Arrays.equals(expected, scores));
    } catch (UnsupportedEnsembleException e) {
      System.out.println("cpu: " + e.getMessage());
    }
    // Asked again, it must answer the same: a class that failed to load fails differently then.
    System.out.println("again: " + new GpuProvider().unavailable());
  }

  private static double[] score(EnsembleScorer scorer) {
    FeatureMatrix matrix = FeatureMatrix.ofRows(new float[] {0, 1, 2, -1, 0.5f, Float.NaN}, 3);
    double[] scores = new double[2];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }
}
