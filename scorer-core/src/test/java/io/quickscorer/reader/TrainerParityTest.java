// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every model that a trainer wrote for us gives that trainer's scores: raw ones to the bit, by
 * every algorithm; predictions to the bit where no exponential is involved.
 */
public final class TrainerParityTest {
  /** What Java's exponential and logarithm may differ by from the C library's, in ulp. */
  private static final long MAX_LINK_ULPS = 3;

  static List<Fixture> fixtures() {
    // A runtime is no trainer: see OnnxParityTest.
    return Fixture.all().stream().filter(f -> !f.trainer().startsWith("onnxruntime")).toList();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void trainersScores(Fixture fixture) {
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    for (String encoding : fixture.encodings()) {
      TreeEnsemble ensemble =
          ModelReader.read(fixture.model(encoding), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      if (encoding.equals("dump")) {
        checkDump(fixture, ensemble);
        continue;
      }
      String engines = checkRaw(ensemble, matrix, cases.raw());
      long linkUlps = checkTransformed(ensemble, cases);
      System.out.printf(
          "parity %s %s: %d rows, raw 0 ulp by%s, transformed %d ulp%n",
          fixture, encoding, matrix.documents(), engines, linkUlps);
    }
  }

  /** A dump has the trees of the model it was made from; what it has lost is left out here. */
  private static void checkDump(Fixture fixture, TreeEnsemble dump) {
    TreeEnsemble whole =
        ModelReader.read(fixture.model("json"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    boolean scaled = fixture.about().contains("booster=dart");
    // Thresholds of features that are typed int are rounded up in a dump.
    boolean rounded = fixture.name().equals("named");
    assertEquals(whole.trees().size(), dump.trees().size());
    for (int t = 0; t < whole.trees().size(); t++) {
      Tree a = whole.trees().get(t);
      Tree b = dump.trees().get(t);
      assertEquals(a.splits(), b.splits());
      for (int split = 0; split < a.splits(); split++) {
        String name = whole.featureNames().get(a.feature(split));
        assertEquals(name, dump.featureNames().get(b.feature(split)));
        assertEquals(a.left(split), b.left(split));
        assertEquals(a.right(split), b.right(split));
        assertEquals(a.missing(split), b.missing(split));
        assertEquals(a.categories(split), b.categories(split));
        if (!rounded) {
          assertEquals(a.threshold(split), b.threshold(split));
        }
      }
      for (int leaf = 0; leaf < a.leaves() && !scaled; leaf++) {
        assertEquals(a.leafValue(leaf), b.leafValue(leaf));
      }
    }
  }

  private static String checkRaw(TreeEnsemble ensemble, FeatureMatrix matrix, double[] expected) {
    StringBuilder engines = new StringBuilder();
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
