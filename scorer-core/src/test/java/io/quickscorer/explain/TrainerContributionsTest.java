// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contributions to the raw scores of trainers' own models equal what those trainers compute.
 *
 * <p>LightGBM computes in double: every single number, however small, agrees within 1e-9 of itself.
 * XGBoost computes in float: numbers agree within 2^-21, eight half-roundings, of the row's sum of
 * absolute contributions and expected value.
 */
final class TrainerContributionsTest {
  private static final double DOUBLE_BOUND = 1e-9;
  private static final double FLOAT_BOUND = 0x1p-21;

  static List<Fixture> fixtures() {
    return Fixture.all().stream()
        // LightGBM has none of linear trees.
        .filter(f -> !f.name().startsWith("linear_trees"))
        .filter(f -> f.trainer().startsWith("lightgbm-4") || f.trainer().startsWith("xgboost"))
        .toList();
  }

  private static TreeEnsemble read(Fixture fixture, String encoding) {
    return ModelReader.read(fixture.model(encoding), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  /** Returns the importance of the features without their names, which old files lack. */
  private static List<FeatureImportance> unnamed(TreeEnsemble ensemble) {
    return FeatureImportance.of(ensemble).stream()
        .map(
            of ->
                new FeatureImportance(
                    "", of.splits(), of.totalGain(), of.totalCover(), of.weight()))
        .toList();
  }

  @Test
  void oldFilesOfXGBoostContainTheSameStatistics() {
    List<Fixture> old = fixtures().stream().filter(f -> f.encodings().contains("bin")).toList();
    assertFalse(old.isEmpty());
    for (Fixture fixture : old) {
      FeatureMatrix matrix =
          FeatureMatrix.ofRows(fixture.cases().values(), fixture.cases().features());
      TreeEnsemble expected = read(fixture, "json");
      TreeEnsemble found = read(fixture, "bin");
      assertEquals(unnamed(expected), unnamed(found), fixture.name());
      Explainer explainer = Explainer.compile(expected);
      assertArrayEquals(
          explainer.contributions(matrix, 0, explainer.newWorkspace()),
          Explainer.compile(found).contributions(matrix, 0, explainer.newWorkspace()),
          fixture.name());
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void trainersContributions(Fixture fixture) {
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    double[][] expected = fixture.contributions();
    TreeEnsemble ensemble = read(fixture, fixture.encodings().get(0));
    Explainer explainer = Explainer.compile(ensemble);
    Workspace workspace = explainer.newWorkspace();
    double worstOfValue = 0;
    double worstOfRow = 0;
    double worstSum = 0;
    for (int row = 0; row < expected.length; row++) {
      double[] found = explainer.contributions(matrix, row, workspace);
      double size = Math.abs(explainer.expectedValue());
      double sum = explainer.expectedValue();
      for (double contribution : found) {
        size += Math.abs(contribution);
        sum += contribution;
      }
      for (int f = 0; f <= found.length; f++) {
        double ours = f < found.length ? found[f] : explainer.expectedValue();
        double theirs = expected[row][f];
        double off = Math.abs(ours - theirs);
        worstOfRow = Math.max(worstOfRow, off / size);
        worstOfValue = Math.max(worstOfValue, off == 0 ? 0 : off / Math.abs(theirs));
      }
      worstSum = Math.max(worstSum, Math.abs(sum - cases.raw()[row]) / size);
    }
    System.out.printf(
        "contributions %s: %d rows, off by %.1e of the value, %.1e of the row; sum off by %.1e%n",
        fixture, expected.length, worstOfValue, worstOfRow, worstSum);
    if (ensemble.accumulator() == Accumulator.DOUBLE) {
      assertTrue(worstOfValue <= DOUBLE_BOUND, "a number is off by " + worstOfValue);
      assertTrue(worstSum <= 1e-14, "a sum is off by " + worstSum);
    } else {
      assertTrue(worstOfRow <= FLOAT_BOUND, "a number is off by " + worstOfRow + " of its row");
      assertTrue(worstSum <= FLOAT_BOUND, "a sum is off by " + worstSum);
    }
  }
}
