// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clicks of simulated users on documents that keep their positions. */
final class RegressionEmTest {
  private static final int POSITIONS = 10;
  private static final int QUERIES = 100;
  private static final int DOCUMENTS = 20;
  private static final long SEED = Long.getLong("tests.em.seed", 11);

  private final Exposures exposures = new Exposures();
  private final Map<Exposures.Pair, float[]> features = new HashMap<>();

  /** The features of a document; the last one is the error of the production ranker. */
  private static double[] values(int query, int document) {
    SplittableRandom random = new SplittableRandom(SEED * 5_000 + 31L * query + document).split();
    return random.doubles(4).toArray();
  }

  /** A relevance that is not a sum of log-odds: the features interact a little. */
  private static double relevance(double[] of) {
    return 0.05 + 0.5 * of[0] + 0.3 * of[1] * of[1] + 0.1 * of[0] * of[2];
  }

  /**
   * Shows 10 of 20 documents per query, always in the same order, to users who look at position k
   * with probability 1 / k^eta.
   *
   * @param knowledge weight of the relevance in the production ranker's scores
   * @param logged computes the logged features from the document's features and its position
   */
  private void sessions(
      int sessions, double eta, double knowledge, Function<double[], float[]> logged) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<List<double[]>> shown = new ArrayList<>();
    for (int q = 0; q < QUERIES; q++) {
      List<double[]> documents = new ArrayList<>();
      for (int d = 0; d < DOCUMENTS; d++) {
        documents.add(values(q, d));
      }
      documents.sort(Comparator.comparingDouble(of -> -knowledge * relevance(of) - of[3]));
      shown.add(documents.subList(0, POSITIONS));
      for (int k = 1; k <= POSITIONS; k++) {
        double[] with = Arrays.copyOf(documents.get(k - 1), 5);
        with[4] = k;
        features.put(new Exposures.Pair("q" + q, "d" + k), logged.apply(with));
      }
    }
    for (int s = 0; s < sessions; s++) {
      int q = random.nextInt(QUERIES);
      for (int k = 1; k <= POSITIONS; k++) {
        boolean clicked =
            random.nextDouble() < Math.pow(k, -eta)
                && random.nextDouble() < relevance(shown.get(q).get(k - 1));
        exposures.add("q" + q, "d" + k, k, 1, clicked ? 1 : 0);
      }
    }
  }

  private RegressionEm.Estimate estimate() {
    assertTrue(PositionBias.of(exposures, POSITIONS).isUnknown());
    return RegressionEm.of(exposures, POSITIONS, features);
  }

  private static float[] three(double[] of) {
    return new float[] {(float) of[0], (float) of[1], (float) of[2]};
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 1.5})
  void attentionIsFoundByTheFeatures(double eta) {
    sessions(100_000, eta, 1, RegressionEmTest::three);
    RegressionEm.Estimate estimate = estimate();
    PositionBias bias = estimate.bias();
    System.out.println("seed " + SEED + ", eta " + eta + ": " + estimate.reason());
    int inside = 0;
    for (int k = 1; k <= POSITIONS; k++) {
      double truth = Math.pow(k, -eta);
      assertEquals(1, bias.factor(k) / truth, 0.1, "position " + k);
      inside += bias.low()[k - 1] <= truth && truth <= bias.high()[k - 1] ? 1 : 0;
    }
    System.out.println("intervals with the truth: " + inside + " of " + POSITIONS);
    assertTrue(estimate.reason().startsWith("1000000 impressions of 1000 documents; 3 features"));
  }

  private void refused(String reason, Function<double[], float[]> logged) {
    sessions(20_000, 1, 1, logged);
    RegressionEm.Estimate estimate = estimate();
    assertTrue(estimate.bias().isUnknown(), estimate.reason());
    assertTrue(estimate.reason().contains(reason), estimate.reason());
  }

  @Test
  void equalFeaturesEstimateNothing() {
    refused("no feature differs among the 1000 documents", of -> new float[] {7, Float.NaN});
  }

  @Test
  void featuresThatDetermineThePositionEstimateNothing() {
    refused("the features determine the positions", of -> new float[] {(float) of[4]});
  }

  @Test
  void featuresThatUsersDoNotCareForEstimateNothing() {
    refused("expected 75 % or more", of -> new float[] {(float) of[2]});
  }

  @Test
  void withoutFeaturesNothingIsEstimated() {
    sessions(2_000, 1, 1, RegressionEmTest::three);
    features.clear();
    assertEquals("no shown document has logged features", estimate().reason());
  }

  private void withoutTheSecondFeature(double knowledge) {
    sessions(100_000, 1, knowledge, of -> new float[] {(float) of[0], (float) of[2]});
  }

  /** A feature that was not logged does no harm if the production ranker does not know it. */
  @Test
  void hiddenRelevanceIsHarmlessIfPositionsDoNotDependOnIt() {
    withoutTheSecondFeature(0);
    PositionBias bias = estimate().bias();
    for (int k = 1; k <= POSITIONS; k++) {
      assertEquals(1, bias.factor(k) * k, 0.1, "position " + k + ", seed " + SEED);
    }
  }

  /** The factors would be up to 17 % too small. */
  @Test
  void hiddenRelevanceThatDeterminesPositionsEstimatesNothing() {
    withoutTheSecondFeature(1);
    RegressionEm.Estimate estimate = estimate();
    assertTrue(estimate.bias().isUnknown(), estimate.reason());
    assertTrue(estimate.reason().contains("expected 75 % or more"), estimate.reason());
  }
}
