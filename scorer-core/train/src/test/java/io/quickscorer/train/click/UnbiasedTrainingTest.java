// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.DataFile;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.trainer.LightGbmTrainer;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Models that learn from the clicks of simulated users, judged by true grades on queries that they
 * have not seen. {@code -Dclicks.seeds=10 -Dclicks.eta=0.5,1,1.5 -Dclicks.data=FILE,…} makes a
 * table of more seeds, of more kinds of attention, and of files in the form of LETOR; {@code
 * -Dclicks.trust=0.3} adds trust: so likely users who look at the first hit click it although they
 * do not like it, half as likely at the second, and so on.
 */
final class UnbiasedTrainingTest {
  private static final int SEEDS = Integer.getInteger("clicks.seeds", 1);
  private static final String ETAS = System.getProperty("clicks.eta", "1");
  private static final String DATA = System.getProperty("clicks.data", "");
  private static final double TRUST = Double.parseDouble(System.getProperty("clicks.trust", "0"));
  private static final int SESSIONS = 100_000;

  /** Student's t for 95 % of both sides, by degrees of freedom from 1. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262
  };

  private static final int POSITIONS = 10;

  /** A query's documents. */
  private record Query(String name, List<float[]> features, List<Integer> grades) {}

  /** Grades from 0 to 4 by two of ten features, of which the production ranker sees a third. */
  private static List<Query> generated() {
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
  private static List<Query> read(Path file) throws Exception {
    Map<String, Query> queries = new LinkedHashMap<>();
    Map<Integer, Integer> columns = new HashMap<>();
    List<Map<Integer, Float>> rows = new ArrayList<>();
    List<Query> of = new ArrayList<>();
    try (BufferedReader reader = DataFile.textReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
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

  private static JudgedQuery judged(Query query, Map<String, Integer> grades) {
    return JudgedQuery.of(query.name, query.name, grades);
  }

  private static Map<String, Integer> truth(Query query) {
    Map<String, Integer> grades = new HashMap<>();
    for (int d = 0; d < query.grades.size(); d++) {
      grades.put("d" + d, query.grades.get(d));
    }
    return grades;
  }

  /** The feature that ranks best alone, of every fourth: what was in production before. */
  private static int production(List<Query> queries) {
    int features = queries.getFirst().features.getFirst().length;
    return IntStream.range(0, features)
        .filter(f -> f % 4 == 1 || features <= 10)
        .boxed()
        .filter(f -> features > 10 || f == 9)
        .max(Comparator.comparingDouble(f -> quality(queries, by(f))))
        .orElse(0);
  }

  /** Scores of a query's documents. */
  private interface Ranker {
    double[] of(Query query);
  }

  private static Ranker by(int feature) {
    return query -> query.features.stream().mapToDouble(d -> d[feature]).toArray();
  }

  private static double quality(List<Query> queries, Ranker ranker) {
    double sum = 0;
    for (Query query : queries) {
      double[] scores = ranker.of(query);
      List<Integer> order = new ArrayList<>(IntStream.range(0, scores.length).boxed().toList());
      order.sort(Comparator.comparingDouble(d -> -scores[d]));
      List<String> ranking = order.stream().map(d -> "d" + d).toList();
      sum += Ndcg.DEFAULT.of(judged(query, truth(query)), ranking);
    }
    return sum / queries.size();
  }

  private static Exposures sessions(List<Query> queries, double eta, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int feature = production(queries);
    int best = queries.stream().flatMap(q -> q.grades.stream()).max(Integer::compare).orElseThrow();
    Exposures exposures = new Exposures();
    for (int s = 0; s < SESSIONS; s++) {
      Query query = queries.get(random.nextInt(queries.size()));
      int documents = query.grades.size();
      double[] values = by(feature).of(query);
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      // Ranks with noise: neighbours change places from session to session.
      double[] scores = new double[documents];
      for (int d = 0; d < documents; d++) {
        int rank = Arrays.binarySearch(sorted, values[d]);
        scores[d] = rank + 1.5 * random.nextGaussian();
      }
      List<Integer> ranking = new ArrayList<>(IntStream.range(0, documents).boxed().toList());
      ranking.sort(Comparator.comparingDouble(d -> -scores[d]));
      for (int k = 1; k <= Math.min(POSITIONS, documents); k++) {
        int d = ranking.get(k - 1);
        double taste = 0.05 + 0.9 * query.grades.get(d) / best;
        double click = taste + (1 - taste) * TRUST / k;
        boolean clicked = random.nextDouble() < Math.pow(k, -eta) && random.nextDouble() < click;
        exposures.add(query.name, "d" + d, k, clicked ? 1 : 0);
      }
    }
    return exposures;
  }

  private static double trained(
      List<Query> learn, Map<String, Map<String, Integer>> grades, List<Query> test)
      throws Exception {
    List<FeatureRows.Hits> hits = new ArrayList<>();
    for (Query query : learn) {
      Map<String, Integer> of = grades.getOrDefault(query.name, Map.of());
      List<String> ids = of.keySet().stream().sorted().toList();
      if (ids.size() > 1) {
        List<float[]> rows =
            ids.stream().map(id -> query.features.get(Integer.parseInt(id.substring(1)))).toList();
        hits.add(new FeatureRows.Hits(judged(query, of), ids, rows));
      }
    }
    int features = learn.getFirst().features.getFirst().length;
    List<String> names = IntStream.range(0, features).mapToObj(f -> "f" + f).toList();
    byte[] model = LightGbmTrainer.train(FeatureRows.of(hits), names, 1).file();
    EnsembleScorer scorer =
        ReferenceScorer.compile(ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    return quality(
        test,
        query -> {
          double[] scores = new double[query.grades.size()];
          float[] flat = FeatureRows.flat(query.features, features);
          scorer.score(FeatureMatrix.ofRows(flat, features), scorer.newScratch(), scores);
          return scores;
        });
  }

  private static Map<String, Map<String, Integer>> grades(Exposures exposures, Estimator by) {
    PositionBias bias = PositionBias.of(exposures, POSITIONS);
    Map<String, Map<String, Integer>> grades = new HashMap<>();
    for (ClickJudgments.Judged judged : ClickJudgments.of(exposures, by, bias, 5).judged()) {
      grades
          .computeIfAbsent(judged.pair().query(), query -> new HashMap<>())
          .put(judged.pair().document(), judged.grade());
    }
    return grades;
  }

  @Test
  void unbiasedClicksTeachAlmostAsMuchAsTrueGrades() throws Exception {
    Map<String, List<Query>> sets = new LinkedHashMap<>();
    sets.put("generated", generated());
    for (String file : DATA.isEmpty() ? new String[0] : DATA.split(",")) {
      sets.put(Path.of(file).getFileName().toString(), read(Path.of(file)));
    }
    for (Map.Entry<String, List<Query>> set : sets.entrySet()) {
      for (String eta : ETAS.split(",")) {
        compare(set.getKey(), set.getValue(), Double.parseDouble(eta));
      }
    }
  }

  private static void compare(String name, List<Query> all, double eta) throws Exception {
    double[][] quality = new double[5][SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      List<Query> queries = new ArrayList<>(all);
      Collections.shuffle(queries, new Random(seed));
      List<Query> learn = queries.subList(0, queries.size() * 2 / 3);
      List<Query> test = queries.subList(queries.size() * 2 / 3, queries.size());
      Exposures exposures = sessions(learn, eta, seed);
      Map<String, Map<String, Integer>> truth = new HashMap<>();
      learn.forEach(query -> truth.put(query.name, truth(query)));
      quality[0][seed] = quality(test, by(production(learn)));
      quality[1][seed] = trained(learn, grades(exposures, Estimator.NAIVE), test);
      quality[2][seed] = trained(learn, grades(exposures, Estimator.COEC), test);
      quality[3][seed] = trained(learn, grades(exposures, Estimator.UNBIASED), test);
      quality[4][seed] = trained(learn, truth, test);
    }
    double naive = mean(quality[1]);
    double gap = mean(quality[4]) - naive;
    double won = mean(quality[3]) - naive;
    System.out.printf(
        Locale.ROOT,
        "%s, eta %.1f, trust %.1f, %d seeds, NDCG@10: production %s, naive %s, coec %s, unbiased"
            + " %s, true grades %s; of the gap from naive to true %.0f %%%n",
        name,
        eta,
        TRUST,
        SEEDS,
        shown(quality[0]),
        shown(quality[1]),
        shown(quality[2]),
        shown(quality[3]),
        shown(quality[4]),
        100 * won / gap);
    if (name.equals("generated") && eta == 1 && TRUST == 0) {
      assertTrue(won > 0.8 * gap, won + " of " + gap);
    }
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  /** The mean with the half width of its interval of 95 %, if there are seeds enough. */
  private static String shown(double[] values) {
    double mean = mean(values);
    int freedom = values.length - 1;
    if (freedom < 1 || freedom > STUDENT.length) {
      return String.format(Locale.ROOT, "%.3f", mean);
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double error = Math.sqrt(squares / freedom / values.length);
    return String.format(Locale.ROOT, "%.3f ± %.3f", mean, STUDENT[freedom - 1] * error);
  }
}
