// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Searches of simulated users, whose attention and taste are known.
 *
 * @param searches in their order
 * @param exposures the counts over them
 */
record SimulatedClicks(List<Search> searches, Exposures exposures) {
  static final int POSITIONS = Integer.getInteger("clicks.positions", 10);

  /** A query's documents. */
  record Query(String name, List<float[]> features, List<Integer> grades) {
    JudgedQuery judged(Map<String, Integer> of) {
      return JudgedQuery.of(name, name, of);
    }

    Map<String, Integer> truth() {
      Map<String, Integer> truth = new HashMap<>();
      for (int d = 0; d < grades.size(); d++) {
        truth.put("d" + d, grades.get(d));
      }
      return truth;
    }
  }

  /** A search: documents by position, and whether each was clicked. */
  record Search(Query query, List<Integer> documents, List<Boolean> clicked) {}

  /** Scores of a query's documents. */
  interface Ranker {
    double[] of(Query query);
  }

  /**
   * The users.
   *
   * @param eta they look at position k with probability 1 / k^eta
   * @param noise probability that they click a bad document that they look at
   * @param trust probability that they click the first hit although they do not like it; half of
   *     that at the second, and so on
   */
  record Users(double eta, double noise, double trust) {}

  /** Grades from 0 to 4 by two of ten features, of which the production ranker sees a third. */
  static List<Query> generated() {
    SplittableRandom random = new SplittableRandom(3);
    List<Query> queries = new ArrayList<>();
    for (int q = 0; q < 300; q++) {
      Query query = new Query("q" + q, new ArrayList<>(), new ArrayList<>());
      for (int d = 0; d < 20; d++) {
        float[] features = new float[10];
        for (int f = 0; f < features.length; f++) {
          features[f] = (float) random.nextGaussian();
        }
        double worth = features[0] + features[1] + 0.5 * random.nextGaussian();
        features[9] = (float) (0.4 * worth + random.nextGaussian());
        query.features.add(features);
        query.grades.add(Math.clamp(Math.round(1.5 + worth), 0, 4));
      }
      queries.add(query);
    }
    return queries;
  }

  /** Lines of a grade, qid and features by number, which the rows of a query share. */
  static List<Query> read(Path file) throws Exception {
    Map<String, Query> queries = new LinkedHashMap<>();
    Map<Integer, Integer> columns = new HashMap<>();
    List<Map<Integer, Float>> rows = new ArrayList<>();
    List<Query> of = new ArrayList<>();
    try (BufferedReader reader = DataFile.textReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("#")) {
          continue;
        }
        String[] cells = line.split("#")[0].strip().split("\\s+");
        Query query =
            queries.computeIfAbsent(
                cells[1], name -> new Query(name, new ArrayList<>(), new ArrayList<>()));
        Map<Integer, Float> row = new HashMap<>();
        for (int c = 2; c < cells.length; c++) {
          String[] pair = cells[c].split(":");
          int number = Integer.parseInt(pair[0]);
          columns.putIfAbsent(number, columns.size());
          row.put(columns.get(number), Float.parseFloat(pair[1]));
        }
        rows.add(row);
        of.add(query);
        query.grades.add(Integer.parseInt(cells[0]));
      }
    }
    for (int r = 0; r < rows.size(); r++) {
      float[] features = new float[columns.size()];
      rows.get(r).forEach((column, value) -> features[column] = value);
      of.get(r).features.add(features);
    }
    return queries.values().stream()
        .filter(query -> query.grades.size() >= 5 && Collections.max(query.grades) > 0)
        .toList();
  }

  static int features(List<Query> queries) {
    return queries.getFirst().features.getFirst().length;
  }

  /** The feature that ranks best alone, of every fourth: what was in production before. */
  static Ranker production(List<Query> queries) {
    int features = features(queries);
    return by(
        IntStream.range(0, features)
            .filter(f -> f % 4 == 1 || features <= 10)
            .boxed()
            .filter(f -> features > 10 || f == 9)
            .max(Comparator.comparingDouble(f -> quality(queries, by(f))))
            .orElse(0));
  }

  private static Ranker by(int feature) {
    return query -> query.features.stream().mapToDouble(d -> d[feature]).toArray();
  }

  /** Returns the mean NDCG@10 on the true grades. */
  static double quality(List<Query> queries, Ranker ranker) {
    double sum = 0;
    for (Query query : queries) {
      List<String> ranking = order(ranker.of(query)).stream().map(d -> "d" + d).toList();
      sum += Ndcg.DEFAULT.of(query.judged(query.truth()), ranking);
    }
    return sum / queries.size();
  }

  private static List<Integer> order(double[] scores) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, scores.length).boxed().toList());
    order.sort(Comparator.comparingDouble(d -> -scores[d]));
    return order;
  }

  /**
   * Simulates searches with the production ranker, whose neighbours change places from search to
   * search.
   */
  static SimulatedClicks of(List<Query> queries, Users users, int searches, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Ranker production = production(queries);
    int best = queries.stream().flatMap(q -> q.grades.stream()).max(Integer::compare).orElseThrow();
    SimulatedClicks all = new SimulatedClicks(new ArrayList<>(), new Exposures());
    for (int s = 0; s < searches; s++) {
      Query query = queries.get(random.nextInt(queries.size()));
      double[] values = production.of(query);
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      double[] scores = new double[values.length];
      for (int d = 0; d < scores.length; d++) {
        scores[d] = Arrays.binarySearch(sorted, values[d]) + 1.5 * random.nextGaussian();
      }
      List<Integer> ranking = order(scores);
      ranking = ranking.subList(0, Math.min(POSITIONS, ranking.size()));
      Search search = new Search(query, ranking, new ArrayList<>());
      for (int k = 1; k <= ranking.size(); k++) {
        int d = ranking.get(k - 1);
        double taste = users.noise + (0.95 - users.noise) * query.grades.get(d) / best;
        double click = Math.min(1, taste + (1 - taste) * users.trust / k);
        boolean clicked =
            random.nextDouble() < Math.pow(k, -users.eta) && random.nextDouble() < click;
        search.clicked.add(clicked);
        all.exposures.add(query.name, "d" + d, k, 1, clicked ? 1 : 0);
      }
      all.searches.add(search);
    }
    return all;
  }

  /** Returns the searches as lines of the table that judge writes. */
  List<String> table(int max) {
    List<String> lines = new ArrayList<>();
    lines.add(String.join("\t", SingleSearches.COLUMNS));
    for (int s = 0; s < Math.min(max, searches.size()); s++) {
      Search search = searches.get(s);
      for (int k = 0; k < search.documents.size(); k++) {
        int clicked = search.clicked.get(k) ? 1 : 0;
        String hit = "\td" + search.documents.get(k) + "\t" + (k + 1) + "\t" + clicked;
        lines.add(s + "\t" + search.query.name + hit);
      }
    }
    return lines;
  }
}
