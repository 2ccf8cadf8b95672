// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clicks of simulated users whose attention and taste are known. */
final class ClickJudgmentsTest {
  private static final int POSITIONS = 10;
  private static final int QUERIES = 100;
  private static final int DOCUMENTS = 20;

  /** How often users click a document of each grade that they look at. */
  private static final double[] CLICKS = {0.05, 0.2, 0.45, 0.7, 0.95};

  private static int grade(int query, int document) {
    return new SplittableRandom(1_000L * query + document).split().nextInt(5);
  }

  /**
   * Sessions of users who look at position k with probability 1 / k^eta.
   *
   * @param noise of the production rankings: 0 shows a query's documents in one order at all times
   */
  private static Exposures sessions(int sessions, double eta, double noise, long seed) {
    return sessions(QUERIES, sessions, eta, noise, seed);
  }

  private static Exposures sessions(
      int queries, int sessions, double eta, double noise, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Exposures exposures = new Exposures();
    for (int s = 0; s < sessions; s++) {
      int query = random.nextInt(queries);
      double[] scores = new double[DOCUMENTS];
      List<Integer> ranking = new ArrayList<>();
      for (int d = 0; d < DOCUMENTS; d++) {
        // The production ranker is weak: it knows a little of the grades, and errs the same always.
        double error = new SplittableRandom(77L * query + d).split().nextDouble() * 6;
        scores[d] = grade(query, d) + error + noise * random.nextGaussian();
        ranking.add(d);
      }
      ranking.sort(Comparator.comparingDouble(d -> -scores[d]));
      for (int k = 1; k <= POSITIONS; k++) {
        int document = ranking.get(k - 1);
        boolean clicked =
            random.nextDouble() < Math.pow(k, -eta)
                && random.nextDouble() < CLICKS[grade(query, document)];
        exposures.add("q" + query, "d" + document, k, 1, clicked ? 1 : 0);
      }
    }
    return exposures;
  }

  /** Mean share of the pairs of a query's judged documents that are in their true order. */
  private static double agreement(ClickJudgments judgments) {
    long right = 0;
    long all = 0;
    List<ClickJudgments.Judged> judged = judgments.judged();
    for (int i = 0; i < judged.size(); i++) {
      for (int j = i + 1; j < judged.size(); j++) {
        String query = judged.get(i).pair().query();
        if (!query.equals(judged.get(j).pair().query())) {
          break;
        }
        int a = grade(number(query), number(judged.get(i).pair().document()));
        int b = grade(number(query), number(judged.get(j).pair().document()));
        // Judged documents are sorted: the one before is said to be better.
        all += a == b ? 0 : 1;
        right += a > b ? 1 : 0;
      }
    }
    return (double) right / all;
  }

  private static SearchReader reader() {
    EventReader.Actions actions = new EventReader.Actions(Map.of("click", 1.0), "", "");
    return new SearchReader(actions, "impression", 10, 50);
  }

  private static int number(String name) {
    return Integer.parseInt(name.substring(1));
  }

  private static ClickJudgments judge(Exposures exposures, ClickJudge.Estimator estimator) {
    PositionBias bias = PositionBias.of(exposures, POSITIONS);
    return ClickJudgments.of(exposures, estimator, bias, 5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 1.5})
  void attentionIsFoundWhereDocumentsChangePlaces(double eta) {
    PositionBias bias = PositionBias.of(sessions(100_000, eta, 1, 5), POSITIONS);
    for (int k = 1; k <= POSITIONS; k++) {
      double truth = Math.pow(k, -eta);
      assertEquals(1, bias.factor(k) / truth, 0.1, "position " + k);
      assertTrue(bias.low()[k - 1] <= bias.factor(k) && bias.factor(k) <= bias.high()[k - 1]);
      assertTrue(bias.high()[k - 1] - bias.low()[k - 1] < 0.1, "position " + k);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, QUERIES})
  void intervalsHaveTheTruth(int queries) {
    int inside = 0;
    int all = 0;
    for (long seed = 1; seed <= 10; seed++) {
      Exposures exposures = sessions(queries, 10_000, 1, 1, seed);
      PositionBias bias = PositionBias.of(exposures, POSITIONS);
      for (int k = 2; k <= POSITIONS; k++) {
        inside += bias.low()[k - 1] <= 1.0 / k && 1.0 / k <= bias.high()[k - 1] ? 1 : 0;
        all++;
      }
    }
    assertTrue(inside >= all * 85 / 100, queries + " queries: " + inside + " of " + all);
  }

  @Test
  void withoutAChangeOfPlacesNothingIsEstimated() {
    PositionBias bias = PositionBias.of(sessions(20_000, 1, 0, 5), POSITIONS);
    assertTrue(bias.isUnknown());
    assertEquals(1, bias.factor(1));
    assertEquals(Double.NaN, bias.factor(2));
    assertEquals(Double.NaN, bias.factor(11));
  }

  @Test
  void positionsThatNothingTellsApartHaveNoEstimate() {
    Exposures exposures = new Exposures();
    for (int i = 0; i < 200; i++) {
      exposures.add("q", "a", 1 + i % 2, 1, i % 3 == 0 ? 1 : 0);
      exposures.add("q", "b", 3 + i % 2, 1, i % 3 == 0 ? 1 : 0);
      exposures.add("q", "c", 5, 1, i % 3 == 0 ? 1 : 0);
    }
    PositionBias bias = PositionBias.of(exposures, 5);
    assertEquals(1, bias.factor(2), 0.1);
    for (int k = 3; k <= 5; k++) {
      assertEquals(Double.NaN, bias.factor(k));
    }
    ClickJudgments judgments = ClickJudgments.of(exposures, ClickJudge.Estimator.UNBIASED, bias, 5);
    assertEquals(1, judgments.judged().size());
    assertEquals(2, judgments.leftOut());
  }

  @Test
  void unbiasedJudgmentsOrderDocumentsBetter() {
    Exposures exposures = sessions(100_000, 1, 1, 9);
    double naive = agreement(judge(exposures, ClickJudge.Estimator.NAIVE));
    double coec = agreement(judge(exposures, ClickJudge.Estimator.COEC));
    double unbiased = agreement(judge(exposures, ClickJudge.Estimator.UNBIASED));
    System.out.println(
        "pairs in their true order: naive " + naive + ", coec " + coec + ", unbiased " + unbiased);
    assertTrue(unbiased > coec && coec > naive, naive + ", " + coec + ", " + unbiased);
    assertTrue(unbiased > 0.95, "unbiased " + unbiased);
  }

  /** The mean of equal relevances may differ from them in the last digit. */
  @Test
  void equalRelevancesGetTheHighestGrade() {
    for (int clicked = 1; clicked < 40; clicked++) {
      for (int documents = 1; documents < 8; documents++) {
        Exposures exposures = new Exposures();
        for (int d = 0; d < documents; d++) {
          exposures.add("q", "d" + d, 1 + d, 41, clicked);
        }
        List<ClickJudgments.Judged> judged = judge(exposures, ClickJudge.Estimator.NAIVE).judged();
        assertEquals(documents, judged.size());
        assertTrue(judged.stream().allMatch(one -> one.grade() == 4), judged.toString());
      }
    }
  }

  @Test
  void aFirstPositionWithoutClicksIsNoMeasure() {
    Exposures exposures = new Exposures();
    for (int i = 0; i < 40; i++) {
      exposures.add("q", "a", 1, 1, 0);
      exposures.add("q", "b", 2, 1, i % 2);
      exposures.add("r", "c", 2, 1, i % 4 == 0 ? 1 : 0);
    }
    List<ClickJudgments.Judged> judged = judge(exposures, ClickJudge.Estimator.COEC).judged();
    assertEquals("b", judged.getFirst().pair().document());
    assertEquals(4, judged.getFirst().grade());
    assertEquals(2, judged.getLast().grade());
  }

  /** Whatever positions and ids records have, the rest of them is judged. */
  @Test
  void absurdValuesAreNoPositions(@TempDir Path temp) throws Exception {
    List<String> lines = new ArrayList<>();
    for (String place : List.of("-1", "0", "1", "2147483647", "1e3", "99999999999", "null")) {
      lines.add(
          "{\"action_name\": \"impression\", \"query_id\": \"a\", \"user_query\": \"hat\","
              + " \"event_attributes\": {\"object\": {\"object_id\": \"d"
              + lines.size()
              + "\"}, \"position\": {\"ordinal\": "
              + place
              + "}}}");
    }
    lines.add(
        "{\"query_id\": \"b\", \"user_query\": \"coat\", \"query\": \"{\\\"from\\\": 2147483647}\","
            + " \"query_response_hit_ids\": [\"h\"]}");
    lines.add(
        "{\"query_id\": \"c\", \"user_query\": \"sock\","
            + " \"query_response_hit_ids\": [null, {\"id\": 1}, \"h\\t1\\n\"]}");
    SearchReader reader = reader();
    reader.read(Files.write(temp.resolve("records.ndjson"), lines));
    Map<Exposures.Pair, List<Exposures.Counts>> pairs = reader.exposures().pairs();
    assertEquals(
        Set.of(
            new Exposures.Pair("hat", "d1"),
            new Exposures.Pair("hat", "d2"),
            new Exposures.Pair("sock", "h 1")),
        pairs.keySet());
    assertEquals(3, pairs.get(new Exposures.Pair("sock", "h 1")).getFirst().position());
    assertEquals(Map.of("impressions without an id or a position", 4L), reader.leftOut);
  }

  @Test
  void aClientsEarliestSearchesCount(@TempDir Path temp) throws Exception {
    List<String> lines = new ArrayList<>();
    // The first search is clicked last, and the records may be in any order.
    lines.add(
        "{\"action_name\": \"click\", \"query_id\": \"s0\", \"client_id\": \"c\","
            + " \"timestamp\": 1000, \"event_attributes\": {\"object\": {\"object_id\": \"h\"}}}");
    for (int s = 99; s >= 0; s--) {
      lines.add(
          "{\"query_id\": \"s"
              + s
              + "\", \"client_id\": \"c\", \"user_query\": \"q"
              + s
              + "\", \"query_response_hit_ids\": [\"h\"], \"timestamp\": "
              + s
              + "}");
    }
    SearchReader reader = reader();
    reader.read(Files.write(temp.resolve("records.ndjson"), lines));
    Set<Exposures.Pair> counted = reader.exposures().pairs().keySet();
    assertEquals(50, counted.size());
    assertTrue(counted.stream().allMatch(pair -> number(pair.query()) < 50), counted.toString());
    assertEquals(Map.of("searches after the first 50 of a client", 50L), reader.leftOut);
  }

  /** JSON may contain them as escapes, but no file in UTF-8 can. */
  @Test
  void loneSurrogatesAreReplaced(@TempDir Path temp) throws Exception {
    String search =
        "{\"query_id\": \"a\", \"user_query\": \"shoe \\ud83d \\ud83d\\ude00\","
            + " \"query_response_hit_ids\": [\"h\\ude00\"]}\n";
    String click =
        "{\"action_name\": \"click\", \"query_id\": \"a\","
            + " \"event_attributes\": {\"object\": {\"object_id\": \"h\\ude00\"}}}\n";
    SearchReader searches = reader();
    ClickJudge judge = new ClickJudge(searches);
    searches.read(Files.writeString(temp.resolve("records.ndjson"), search + click));
    judge.judge(ClickJudge.Estimator.NAIVE, 0.5);
    String table = "query\tdoc_id\tgrade\nshoe \ufffd \ud83d\ude00\th\ufffd\t4\n";
    assertEquals(table, judge.table());
    Path written = temp.resolve("searches.tsv");
    searches.write(written);
    assertTrue(Files.readString(written).contains("shoe \ufffd \ud83d\ude00\th\ufffd"));
  }

  @Test
  void noJudgmentsAreNoSuccess(@TempDir Path temp) throws Exception {
    SearchReader searches = reader();
    ClickJudge judge = new ClickJudge(searches);
    Path file = temp.resolve("records.ndjson");
    String search =
        "{\"query_id\": \"a\", \"user_query\": \"hat\", \"query_response_hit_ids\": [\"h\"]}\n";
    searches.read(Files.writeString(file, search));
    Failure noClicks =
        assertThrows(Failure.class, () -> judge.judge(ClickJudge.Estimator.NAIVE, 5));
    assertTrue(noClicks.getMessage().startsWith("found no clicks on hits"), noClicks.getMessage());
    String click =
        "{\"action_name\": \"click\", \"query_id\": \"a\","
            + " \"event_attributes\": {\"object\": {\"object_id\": \"h\"}}}\n";
    SearchReader clicked = reader();
    ClickJudge again = new ClickJudge(clicked);
    clicked.read(Files.writeString(file, search + click));
    Failure few = assertThrows(Failure.class, () -> again.judge(ClickJudge.Estimator.NAIVE, 5));
    assertTrue(few.getMessage().contains("too rarely at each of the 1 pairs"), few.getMessage());
    again.judge(ClickJudge.Estimator.NAIVE, 0.5);
    assertEquals("query\tdoc_id\tgrade\nhat\th\t4\n", again.table());
  }

  /** Records as clients write them: bulk lines, positions from 0, searches and events mixed. */
  @Test
  void recordsArePutTogetherInWhateverOrder(@TempDir Path temp) throws Exception {
    List<String> lines = new ArrayList<>();
    for (int s = 0; s < 60; s++) {
      String search = "\"query_id\": \"s" + s + "\", \"client_id\": \"c" + s / 2 + "\"";
      for (int d = 0; d < 3; d++) {
        String place =
            ", \"event_attributes\": {\"object\": {\"object_id\": \"d"
                + (d + s) % 3
                + "\"}, \"position\": {\"ordinal\": "
                + d
                + "}}}";
        lines.add("{\"action_name\": \"impression\", " + search + place);
        if (s % (d + 2) == 0) {
          lines.add(0, "{\"action_name\": \"click\", " + search + place);
        }
      }
      lines.add("{\"index\": {\"_id\": \"" + s + "\"}}");
      lines.add("{\"user_query\": \" Red  shoe\", " + search + "}");
    }
    lines.add(
        "{\"query_id\": \"x\", \"user_query\": \"hat\", \"query\": \"{\\\"from\\\": 2}\","
            + " \"query_response_hit_ids\": [\"h1\", \"h2\"]}");
    lines.add(
        "{\"action_name\": \"click\", \"query_id\": \"x\","
            + " \"event_attributes\": {\"object\": {\"object_id\": \"h9\"}}}");
    lines.add(
        "{\"action_name\": \"click\", \"query_id\": \"y\","
            + " \"event_attributes\": {\"object\": {\"object_id\": \"h9\"}}}");
    lines.add("{\"action_name\": \"impression\", \"query_id\": \"y\"}");
    lines.add("{\"user_query\": \"hat\"}");
    SearchReader reader = reader();
    reader.read(Files.write(temp.resolve("records.ndjson"), lines));
    Exposures exposures = reader.exposures();
    assertEquals(61, exposures.searches);
    assertEquals(5, exposures.pairs().size());
    List<Exposures.Counts> hat = exposures.pairs().get(new Exposures.Pair("hat", "h2"));
    assertEquals(4, hat.getFirst().position());
    List<Exposures.Counts> shoe = exposures.pairs().get(new Exposures.Pair("red shoe", "d0"));
    assertEquals(3, shoe.size());
    assertEquals(20, shoe.getFirst().shown());
    assertEquals(
        Map.of(
            "clicks on hits that were not shown",
            1L,
            "impressions without an id or a position",
            1L,
            "searches without [query_id]",
            1L,
            "searches without impressions or [query_response_hit_ids]",
            1L),
        reader.leftOut);
    PositionBias bias = PositionBias.of(exposures, 3);
    // Clicked: every second search at the first position, every third and fourth at the next.
    assertEquals(2.0 / 3, bias.factor(2), 0.05);
    assertEquals(0.5, bias.factor(3), 0.05);
  }
}
