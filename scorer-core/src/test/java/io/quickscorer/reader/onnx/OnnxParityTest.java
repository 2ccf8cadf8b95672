// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.Ulps;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Scores of ONNX Runtime, which rounds them to float: ours are the same floats, but where the
 * runtime rounds once more in between or computes a function its own way.
 */
public final class OnnxParityTest {
  /** Models whose raw scores may be some floats off. */
  private static final Map<String, Long> RAW_ULPS = Map.of("regressor_average_base", 1L);

  /** Exponentials of the runtime's own making are a float off. */
  private static final long LINK_ULPS = 2;

  /** The runtime's Sigmoid is a rational function that ends where it is near 0 or 1. */
  private static final double SIGMOID_ERROR = 0x1p-22;

  static List<Fixture> fixtures() {
    return Fixture.all().stream().filter(f -> f.trainer().startsWith("onnxruntime")).toList();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void runtimesScores(Fixture fixture) {
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    TreeEnsemble ensemble =
        ModelReader.read(fixture.model("onnx"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    assertEquals("onnx", ensemble.source().format().label());
    long allowed = RAW_ULPS.getOrDefault(fixture.name(), 0L);
    int engines = 0;
    for (Algorithm algorithm : Engines.names()) {
      EnsembleScorer scorer;
      try {
        scorer = ScorerCompiler.compile(ensemble, algorithm);
      } catch (UnsupportedEnsembleException e) {
        continue;
      }
      double[] scores = new double[matrix.documents()];
      scorer.score(matrix, scorer.newScratch(), scores);
      for (int row = 0; row < scores.length; row++) {
        double expected = cases.raw()[row];
        // Only the form of opset 5 gives doubles.
        boolean floats = expected == (float) expected;
        long ulps =
            Ulps.between(floats ? Accumulator.FLOAT : Accumulator.DOUBLE, expected, scores[row]);
        assertTrue(ulps <= allowed, algorithm + ", row " + row + ": " + ulps + " ulp");
      }
      engines++;
    }
    assertTrue(engines > 1);
    checkTransformed(fixture, ensemble, cases);
  }

  private static void checkTransformed(
      Fixture fixture, TreeEnsemble ensemble, Fixture.Cases cases) {
    for (int row = 0; row < cases.raw().length; row++) {
      double expected = cases.transformed()[row];
      double found = ensemble.transform().apply(cases.raw()[row]);
      if (fixture.name().equals("sigmoid_after")) {
        assertEquals(expected, found, SIGMOID_ERROR, "row " + row);
      } else {
        long ulps = Ulps.between(Accumulator.FLOAT, expected, found);
        assertTrue(ulps <= LINK_ULPS, "row " + row + ": " + ulps + " ulp");
      }
    }
  }
}
