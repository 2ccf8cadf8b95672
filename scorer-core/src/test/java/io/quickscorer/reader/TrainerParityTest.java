package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every model that a trainer wrote for us gives that trainer's scores: raw ones to the bit, by
 * every algorithm; predictions to the bit where no exponential is involved.
 */
final class TrainerParityTest {
  /** What Java's exponential and logarithm may differ by from the C library's, in ulp. */
  private static final long MAX_LINK_ULPS = 3;

  static List<Fixture> fixtures() {
    return Fixture.all();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void trainersScores(Fixture fixture) {
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    for (String encoding : fixture.encodings()) {
      TreeEnsemble ensemble =
          ModelReader.read(fixture.model(encoding), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      String engines = checkRaw(ensemble, matrix, cases.raw());
      long linkUlps = checkTransformed(ensemble, cases);
      System.out.printf(
          "parity %s %s: %d rows, raw 0 ulp by%s, transformed %d ulp%n",
          fixture, encoding, matrix.documents(), engines, linkUlps);
    }
  }

  private static String checkRaw(TreeEnsemble ensemble, FeatureMatrix matrix, double[] expected) {
    StringBuilder engines = new StringBuilder();
    for (Algorithm algorithm : Algorithm.values()) {
      EnsembleScorer scorer;
      try {
        scorer = ScorerCompiler.compile(ensemble, algorithm);
      } catch (UnsupportedEnsembleException e) {
        continue;
      }
      double[] scores = new double[matrix.documents()];
      scorer.score(matrix, scorer.newScratch(), scores);
      for (int row = 0; row < scores.length; row++) {
        assertEquals(expected[row], scores[row], algorithm + ", row " + row);
      }
      engines.append(' ').append(algorithm);
    }
    assertTrue(engines.toString().contains(" object"), "the reference scores every ensemble");
    return engines.toString();
  }

  private static long checkTransformed(TreeEnsemble ensemble, Fixture.Cases cases) {
    Kind kind = ensemble.transform().kind();
    boolean exact = kind == Kind.IDENTITY || kind == Kind.SIGNED_SQUARE || kind == Kind.STEP;
    long worst = 0;
    for (int row = 0; row < cases.raw().length; row++) {
      double prediction = ensemble.transform().apply(cases.raw()[row]);
      long ulps = Ulps.between(ensemble.accumulator(), cases.transformed()[row], prediction);
      assertTrue(
          ulps <= (exact ? 0 : MAX_LINK_ULPS),
          "row " + row + ": " + prediction + ", " + ulps + " ulp off " + cases.transformed()[row]);
      worst = Math.max(worst, ulps);
    }
    return worst;
  }
}
