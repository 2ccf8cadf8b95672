// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clicks that rankings would have had, against users who would really have clicked so. */
final class CounterfactualTest {
  private static final int QUERIES = 60;
  private static final int DOCUMENTS = 12;
  private static final int POSITIONS = 10;
  private static final int SESSIONS = 60_000;

  private static double taste(int query, int document) {
    return 0.1 + 0.8 * new SplittableRandom(100L * query + document).split().nextDouble();
  }

  /** Rankings that change a little from session to session, by scores that err the same always. */
  private static Exposures sessions(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Exposures exposures = new Exposures();
    for (int s = 0; s < SESSIONS; s++) {
      int query = random.nextInt(QUERIES);
      double[] scores = new double[DOCUMENTS];
      for (int d = 0; d < DOCUMENTS; d++) {
        double error = new SplittableRandom(7_000L * query + d).split().nextDouble();
        scores[d] = 0.3 * taste(query, d) + error + 0.3 * random.nextGaussian();
      }
      List<Integer> ranking = ranking(scores);
      for (int k = 1; k <= POSITIONS; k++) {
        int d = ranking.get(k - 1);
        boolean clicked = random.nextDouble() < 1.0 / k && random.nextDouble() < taste(query, d);
        exposures.add("q" + query, "d" + d, k, 1, clicked ? 1 : 0);
      }
    }
    return exposures;
  }

  private static List<Integer> ranking(double[] scores) {
    List<Integer> ranking = new ArrayList<>(IntStream.range(0, scores.length).boxed().toList());
    ranking.sort(Comparator.comparingDouble(d -> -scores[d]));
    return ranking;
  }

  /** All of the three find the clicks of rankings by taste, which no search has shown. */
  @Test
  void clicksOfOtherRankingsAreFound() {
    Map<String, Map<Integer, String>> rankings = new HashMap<>();
    double truth = 0;
    for (int query = 0; query < QUERIES; query++) {
      int q = query;
      List<Integer> best =
          ranking(IntStream.range(0, DOCUMENTS).mapToDouble(d -> taste(q, d)).toArray());
      Map<Integer, String> ranking = new HashMap<>();
      best.forEach(d -> ranking.put(ranking.size() + 1, "d" + d));
      rankings.put("q" + query, ranking);
      for (int k = 1; k <= POSITIONS; k++) {
        truth += taste(query, best.get(k - 1)) / k / QUERIES;
      }
    }
    long seed = 4;
    Exposures exposures = sessions(seed);
    PositionBias bias = PositionBias.of(exposures, POSITIONS);
    Counterfactual estimate = Counterfactual.of(exposures, bias, rankings);
    String told = "seed " + seed + ", truth " + truth + ": " + estimate;
    assertEquals(QUERIES, estimate.queries());
    assertEquals(1, estimate.covered(), 1e-9, told);
    assertEquals(truth, estimate.ips().mean(), 0.05 * truth, told);
    assertEquals(truth, estimate.snips().mean(), 0.05 * truth, told);
    assertEquals(truth, estimate.doublyRobust().mean(), 0.05 * truth, told);
    assertTrue(estimate.logged().mean() < 0.9 * truth, told);
    assertTrue(estimate.gain().isSignificant(), told);
    System.out.println(told);
  }

  /** If all queries have the same clicks per search, a sample of queries has them too. */
  @Test
  void theNumberOfSearchesOfAQueryIsDrawnWithItsClicks() {
    Exposures exposures = new Exposures();
    Map<String, Map<Integer, String>> rankings = new HashMap<>();
    for (int query = 1; query <= 50; query++) {
      double searches = 4_000.0 / query;
      exposures.add("q" + query, "a", 1, searches, 0.5 * searches);
      exposures.add("q" + query, "b", 2, searches, 0.25 * searches);
      rankings.put("q" + query, Map.of(1, "b", 2, "a"));
    }
    PositionBias bias =
        new PositionBias(new double[] {1, 0.5}, new double[] {1, 0.4}, new double[] {1, 0.6});
    Counterfactual estimate = Counterfactual.of(exposures, bias, rankings);
    assertEquals(0.75, estimate.logged().mean(), 1e-9);
    assertEquals(0.75, estimate.logged().low(), 1e-9);
    assertEquals(0.75, estimate.logged().high(), 1e-9);
    assertEquals(0.75, estimate.snips().low(), 1e-9);
    assertEquals(0.75, estimate.snips().high(), 1e-9);
    assertEquals(
        List.of(
            "    clicks per search if other rankings had been shown, of 50 queries (100 % of the"
                + " attention falls on documents that were shown):",
            "      as shown       0.7500 (0.7500 to 0.7500)"),
        estimate.report().subList(0, 2));
  }

  /** What was not shown has no clicks by IPS, the mean by the others. */
  @Test
  void documentsThatWereNeverShownAreCountedAsSuch() {
    Exposures exposures = new Exposures();
    for (int query = 0; query < 10; query++) {
      exposures.add("q" + query, "a", 1, 100, 50);
      exposures.add("q" + query, "b", 2, 100, 25);
    }
    PositionBias bias =
        new PositionBias(new double[] {1, 0.5}, new double[] {1, 0.4}, new double[] {1, 0.6});
    Map<String, Map<Integer, String>> rankings = new HashMap<>();
    for (int query = 0; query < 10; query++) {
      rankings.put("q" + query, Map.of(1, "b", 2, "never shown"));
    }
    Counterfactual estimate = Counterfactual.of(exposures, bias, rankings);
    assertEquals(2.0 / 3, estimate.covered(), 1e-9);
    assertEquals(0.75, estimate.logged().mean(), 1e-9);
    // b at the first position: 25 clicks of 50 looks, that is 0.5 per search; the other is unknown.
    assertEquals(0.5, estimate.ips().mean(), 1e-9);
    assertEquals(0.75, estimate.snips().mean(), 1e-9);
    assertEquals(0.75, estimate.doublyRobust().mean(), 1e-9);
  }
}
