// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that scores otherwise has another fingerprint, and one that is the same has the same. */
final class FingerprintTest {
  private static final int PROBES = 500;
  private static final float[] VALUES = {
    Float.NaN, -2, -0.5f, 0, 1e-36f, 0.5f, 0.75f, 1, 1.5f, 2, 2.5f, 3, 4, 5, 7, 10, 33, 40, 100
  };

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static String text(String name) {
    return switch (name) {
      case "lightgbm" -> SmallModels.LIGHTGBM;
      case "lightgbm_zero" -> SmallModels.LIGHTGBM.replace("decision_type=10", "decision_type=4");
      case "xgboost" -> SmallModels.XGBOOST;
      case "catboost" -> SmallModels.CATBOOST;
      case "catboost_ctr" -> SmallModels.CATBOOST_CTR;
      case "ranklib" -> SmallModels.RANKLIB;
      case "xgboost_linear" -> SmallModels.XGBOOST_LINEAR;
      case "solr" -> SmallModels.SOLR;
      default -> throw new IllegalArgumentException(name);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lightgbm",
        "lightgbm_zero",
        "xgboost",
        "catboost",
        "catboost_ctr",
        "ranklib",
        "xgboost_linear",
        "solr"
      })
  void everyDigitThatChangesAScoreChangesIt(String name) {
    String text = text(name);
    TreeEnsemble whole = read(SmallModels.bytes(text));
    String fingerprint = Fingerprint.of(whole);
    assertEquals(fingerprint, Fingerprint.of(read(SmallModels.bytes(text))));
    double[] scores = scores(whole);
    int changed = 0;
    for (int at = 0; at < text.length(); at++) {
      for (char digit = '0'; Character.isDigit(text.charAt(at)) && digit <= '9'; digit++) {
        String other = text.substring(0, at) + digit + text.substring(at + 1);
        TreeEnsemble ensemble = readable(other);
        if (ensemble != null && !Arrays.equals(scores, scores(ensemble))) {
          assertNotEquals(fingerprint, Fingerprint.of(ensemble), other);
          changed++;
        }
      }
    }
    assertTrue(changed > 20, changed + " digits change a score");
  }

  private static @Nullable TreeEnsemble readable(String text) {
    try {
      return read(SmallModels.bytes(text));
    } catch (InvalidModelException e) {
      return null;
    }
  }

  /** Raw scores, then what the transform makes of parts of them, which are not all near 1. */
  private static double[] scores(TreeEnsemble ensemble) {
    int features = ensemble.featureNames().size();
    FeatureMatrix matrix = new FeatureMatrix(features, PROBES);
    for (int row = 0; row < PROBES; row++) {
      // The same values for models of fewer or more features.
      SplittableRandom random = new SplittableRandom(row);
      for (int feature = 0; feature < features; feature++) {
        matrix.set(row, feature, VALUES[random.nextInt(VALUES.length)]);
      }
    }
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    double[] scores = new double[2 * PROBES];
    scorer.score(matrix, scorer.newScratch(), scores);
    for (int row = 0; row < PROBES; row++) {
      scores[PROBES + row] = ensemble.transform().apply(scores[row] / 1000);
    }
    return scores;
  }

  /** What only describes a model is not part of it. */
  @Test
  void statisticsAndOriginDoNotCount() {
    String text = SmallModels.LIGHTGBM.replace("version=v4", "version=v3");
    assertNotEquals(SmallModels.LIGHTGBM, text);
    assertEquals(
        Fingerprint.of(read(SmallModels.bytes(SmallModels.LIGHTGBM))),
        Fingerprint.of(read(SmallModels.bytes(text))));
  }

  /** Stored models have these: a change here keeps them from being loaded. */
  @ParameterizedTest
  @CsvSource({
    "lightgbm,6d3c042fa32379a2",
    "xgboost,4dccdd38a7903066",
    "catboost,21309a68aa54a0f3",
    "catboost_ctr,111614b96011a86b",
    "ranklib,6a4abde68797a187",
    "xgboost_linear,c5f8379717614523",
    "solr,ce672293e4829fd8"
  })
  void fingerprintsStay(String name, String start) {
    assertEquals(start, Fingerprint.of(read(SmallModels.bytes(text(name)))).substring(0, 16));
  }
}
