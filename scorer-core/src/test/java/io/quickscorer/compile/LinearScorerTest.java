// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class LinearScorerTest {
  private static final float[] VALUES = {
    0f, -0f, Float.NaN, 1f, -3.5f, 0.1f, Float.MIN_VALUE, 1e20f, -1e20f, 12345.678f
  };

  @Test
  void theReferencesBits() {
    SplittableRandom random = Seeds.random("linear");
    for (int round = 0; round < 200 * Seeds.iterations(); round++) {
      TreeEnsemble ensemble = randomModel(random);
      int documents = random.nextInt(130);
      FeatureMatrix matrix = new FeatureMatrix(ensemble.featureNames().size(), documents);
      for (int f = 0; f < matrix.features(); f++) {
        for (int d = 0; d < documents; d++) {
          boolean edge = random.nextBoolean();
          matrix.set(
              d,
              f,
              edge ? VALUES[random.nextInt(VALUES.length)] : (float) random.nextDouble(-100, 100));
        }
      }
      double[] expected = score(ReferenceScorer.compile(ensemble), matrix);
      boolean excluded = random.nextBoolean();
      Set<Algorithm> without = excluded ? Set.of(Algorithm.LINEAR) : Set.of();
      EnsembleScorer scorer =
          ScorerCompiler.compile(ensemble, Algorithm.AUTO, without, CompileProgress.NONE);
      assertEquals(excluded ? Algorithm.OBJECT : Algorithm.LINEAR, scorer.algorithm());
      double[] scores = score(scorer, matrix);
      for (int d = 0; d < documents; d++) {
        assertEquals(
            Double.doubleToRawLongBits(expected[d]), Double.doubleToRawLongBits(scores[d]));
      }
    }
  }

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  private static TreeEnsemble randomModel(SplittableRandom random) {
    int features = 1 + random.nextInt(20);
    int terms = random.nextInt(30);
    List<String> names = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      names.add("f" + f);
    }
    int[] indices = random.ints(terms, 0, features).toArray();
    double[] weights = random.doubles(terms, -2, 2).toArray();
    float[] offsets = new float[terms];
    float[] divisors = new float[terms];
    for (int term = 0; term < terms; term++) {
      offsets[term] = random.nextInt(3) == 0 ? (float) random.nextDouble(-5, 5) : 0;
      divisors[term] = random.nextInt(3) == 0 ? (float) random.nextDouble(0.001, 5) : 1;
    }
    return TreeEnsemble.builder(names, new ModelSource(new ModelFormat("test"), "", ""))
        .linear(LinearTerms.normalised(indices, weights, offsets, divisors))
        .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE)
        .initialScore(random.nextBoolean() ? 0 : (float) random.nextDouble())
        .scaleAndBias(random.nextBoolean() ? 1 : 3, random.nextBoolean() ? 0 : 0.5)
        .build();
  }

  private static TreeEnsemble model(LinearTerms terms) {
    return TreeEnsemble.builder(List.of("a", "b"), new ModelSource(new ModelFormat("test"), "", ""))
        .linear(terms)
        .initialScore(0.5)
        .scaleAndBias(2, 1)
        .build();
  }

  @Test
  void enginesForTreesRefuse() {
    TreeEnsemble linear = model(LinearTerms.of(new int[] {1}, new double[] {3}));
    for (Algorithm algorithm : Engines.names()) {
      if (Set.of(Algorithm.AUTO, Algorithm.CPU, Algorithm.LINEAR).contains(algorithm)) {
        assertEquals(Algorithm.LINEAR, ScorerCompiler.compile(linear, algorithm).algorithm());
      } else if (algorithm == Algorithm.OBJECT) {
        assertEquals(algorithm, ScorerCompiler.compile(linear, algorithm).algorithm());
      } else {
        UnsupportedEnsembleException e =
            assertThrows(
                UnsupportedEnsembleException.class,
                () -> ScorerCompiler.compile(linear, algorithm));
        assertTrue(e.getMessage().startsWith(algorithm + ": the model is linear"));
      }
    }
    EnsembleScorer scorer = ScorerCompiler.compile(linear, Algorithm.AUTO);
    new WarmUp().run(scorer, Budget.of(1_000_000, () -> false));
    assertEquals("linear", scorer.engine());
    assertEquals(0, scorer.newScratch().bytes());
    assertTrue(scorer.bytes() > 0);
  }

  @Test
  void terms() {
    LinearTerms terms =
        LinearTerms.normalised(
            new int[] {0, 1}, new double[] {3, 10}, new float[] {0, 4}, new float[] {1, 2});
    TreeEnsemble ensemble = model(terms);
    FeatureMatrix matrix = FeatureMatrix.ofRows(new float[] {1, 6, Float.NaN, Float.NaN}, 2);
    double[] scores = score(ScorerCompiler.compile(ensemble, Algorithm.LINEAR), matrix);
    assertEquals(2 * (0.5 + 3 * 1 + 10 * (6 - 4) / 2) + 1, scores[0]);
    assertEquals(2 * (0.5 + 10 * (0 - 4) / 2) + 1, scores[1], "missing is 0, then normalised");
    Explainer explainer = Explainer.compile(ensemble);
    assertEquals(2, explainer.expectedValue());
    assertEquals(2, explainer.stepsPerDocument());
    double[] parts = explainer.contributions(matrix, 0, explainer.newWorkspace());
    assertEquals(6, parts[0]);
    assertEquals(20, parts[1]);
    assertTrue(Double.isNaN(FeatureImportance.of(ensemble).get(0).totalGain()));
  }

  @Test
  void whatIsNotALinearModel() {
    int[] one = {0};
    assertThrows(InvalidModelException.class, () -> LinearTerms.of(one, new double[] {Double.NaN}));
    for (float divisor : new float[] {0, -1, Float.NaN, Float.POSITIVE_INFINITY}) {
      assertThrows(
          InvalidModelException.class,
          () ->
              LinearTerms.normalised(
                  one, new double[] {1}, new float[] {0}, new float[] {divisor}));
    }
    assertThrows(
        InvalidModelException.class,
        () ->
            LinearTerms.normalised(
                one, new double[] {1}, new float[] {Float.NEGATIVE_INFINITY}, new float[] {1}));
    assertThrows(
        InvalidModelException.class,
        () ->
            TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
                .trees(ScorerCompilerTest.ensemble(2).trees())
                .linear(LinearTerms.of(one, new double[] {1}))
                .build());
  }
}
