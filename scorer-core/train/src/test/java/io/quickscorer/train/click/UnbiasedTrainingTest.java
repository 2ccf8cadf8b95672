// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.train.click.SimulatedClicks.Query;
import io.quickscorer.train.click.SimulatedClicks.Ranker;
import io.quickscorer.train.click.SimulatedClicks.Users;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.trainer.LightGbmTrainer;
import io.quickscorer.train.trainer.Trainer;
import io.quickscorer.train.trainer.TrainingOptions;
import io.quickscorer.train.trainer.XGBoostTrainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Models that learn from the clicks of simulated users, judged by true grades on queries that they
 * have not seen. These properties make a larger table:
 *
 * <ul>
 *   <li>{@code clicks.seeds}: number of seeds, {@code clicks.seed} the first; 10 for intervals
 *   <li>{@code clicks.users=ETA:NOISE:TRUST,…}: kinds of users, see {@link Users}
 *   <li>{@code clicks.data=FILE,…}: files in the form of LETOR, instead of generated queries
 *   <li>{@code clicks.judged} and {@code clicks.single}: searches from which judgments are made,
 *       and searches from which trainers learn directly
 * </ul>
 */
final class UnbiasedTrainingTest {
  private static final int SEEDS = Integer.getInteger("clicks.seeds", 1);
  private static final int FIRST_SEED = Integer.getInteger("clicks.seed", 0);
  private static final String USERS = System.getProperty("clicks.users", "1:0.05:0");
  private static final String DATA = System.getProperty("clicks.data", "");
  private static final int JUDGED = Integer.getInteger("clicks.judged", 100_000);
  private static final int SINGLE = Integer.getInteger("clicks.single", 10_000);

  /** Student's t for 95 % of both sides, by degrees of freedom from 1. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262
  };

  @TempDir private Path temp;

  /** What a model learns from; all by LightGBM unless they are named otherwise. */
  private enum Way {
    PRODUCTION,
    NAIVE,
    COEC,
    UNBIASED,
    SEARCHES,
    POSITION_FIELD,
    XGBOOST_SEARCHES,
    LAMBDARANK_UNBIASED,
    /** True grades of the documents that were judged by clicks: what selection alone costs. */
    TRUE_GRADES_SHOWN,
    TRUE_GRADES
  }

  private static final Set<Way> SEARCHES = EnumSet.range(Way.SEARCHES, Way.LAMBDARANK_UNBIASED);

  private static Ranker trained(Trainer trainer, FeatureRows rows, int features) {
    List<String> names = IntStream.range(0, features).mapToObj(f -> "f" + f).toList();
    byte[] model = trainer.train(rows, null, names, TrainingOptions.PLAIN, 1).file();
    EnsembleScorer scorer =
        ReferenceScorer.compile(ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    return query -> {
      double[] scores = new double[query.grades().size()];
      float[] flat = FeatureRows.flat(query.features(), features);
      scorer.score(FeatureMatrix.ofRows(flat, features), scorer.newScratch(), scores);
      return scores;
    };
  }

  /** Rows of the documents that have grades. */
  private static FeatureRows judged(
      List<Query> learn, Function<Query, Map<String, Integer>> grades) {
    List<FeatureRows.Hits> hits = new ArrayList<>();
    for (Query query : learn) {
      Map<String, Integer> of = grades.apply(query);
      List<String> ids = of.keySet().stream().sorted().toList();
      if (ids.size() > 1) {
        List<float[]> rows =
            ids.stream()
                .map(id -> query.features().get(Integer.parseInt(id.substring(1))))
                .toList();
        hits.add(new FeatureRows.Hits(query.judged(of), ids, rows));
      }
    }
    return FeatureRows.of(hits);
  }

  private static Map<String, Map<String, Integer>> grades(
      Exposures exposures, ClickJudge.Estimator by) {
    PositionBias bias = PositionBias.of(exposures, SimulatedClicks.POSITIONS);
    Map<String, Map<String, Integer>> grades = new HashMap<>();
    for (ClickJudgments.Judged judged : ClickJudgments.of(exposures, by, bias, 5).judged()) {
      grades
          .computeIfAbsent(judged.pair().query(), query -> new HashMap<>())
          .put(judged.pair().document(), judged.grade());
    }
    return grades;
  }

  private FeatureRows searches(List<Query> learn, SimulatedClicks clicks) throws Exception {
    List<FeatureRows.Hits> hits = new ArrayList<>();
    for (Query query : learn) {
      List<String> ids = IntStream.range(0, query.grades().size()).mapToObj(d -> "d" + d).toList();
      hits.add(new FeatureRows.Hits(query.judged(query.truth()), ids, query.features()));
    }
    Path table = Files.write(temp.resolve("searches.tsv"), clicks.table(SINGLE));
    return new SingleSearches(hits, Map.of()).read(table, true);
  }

  @Test
  void correctedClicksTeachMoreThanOthers() throws Exception {
    Map<String, List<Query>> sets = new LinkedHashMap<>();
    if (DATA.isEmpty()) {
      sets.put("generated", SimulatedClicks.generated());
    }
    for (String file : DATA.isEmpty() ? new String[0] : DATA.split(",")) {
      sets.put(Path.of(file).getFileName().toString(), SimulatedClicks.read(Path.of(file)));
    }
    for (Map.Entry<String, List<Query>> set : sets.entrySet()) {
      for (String users : USERS.split(",")) {
        double[] of = Arrays.stream(users.split(":")).mapToDouble(Double::parseDouble).toArray();
        compare(set.getKey(), set.getValue(), new Users(of[0], of[1], of[2]));
      }
    }
  }

  private void compare(String name, List<Query> all, Users users) throws Exception {
    Map<Way, double[]> quality = new EnumMap<>(Way.class);
    Stream.of(Way.values()).forEach(way -> quality.put(way, new double[SEEDS]));
    int features = SimulatedClicks.features(all);
    for (int s = 0; s < SEEDS; s++) {
      int seed = FIRST_SEED + s;
      List<Query> queries = new ArrayList<>(all);
      Collections.shuffle(queries, new Random(seed));
      List<Query> learn = queries.subList(0, queries.size() * 2 / 3);
      List<Query> test = queries.subList(queries.size() * 2 / 3, queries.size());
      SimulatedClicks clicks = SimulatedClicks.of(learn, users, JUDGED, seed);
      Map<String, Map<String, Integer>> shown =
          grades(clicks.exposures(), ClickJudge.Estimator.UNBIASED);
      FeatureRows given = searches(learn, clicks);
      FeatureRows without = new FeatureRows(given.values(), given.labels(), given.groups());
      Trainer lightGbm = new LightGbmTrainer();
      Trainer xgBoost = new XGBoostTrainer();
      for (Way way : Way.values()) {
        if (SINGLE == 0 && SEARCHES.contains(way)) {
          continue;
        }
        Ranker ranker =
            switch (way) {
              case PRODUCTION -> SimulatedClicks.production(learn);
              case NAIVE, COEC, UNBIASED -> {
                Map<String, Map<String, Integer>> grades =
                    grades(clicks.exposures(), ClickJudge.Estimator.valueOf(way.name()));
                yield trained(
                    lightGbm,
                    judged(learn, query -> grades.getOrDefault(query.name(), Map.of())),
                    features);
              }
              case SEARCHES -> trained(lightGbm, without, features);
              case POSITION_FIELD -> trained(lightGbm, given, features);
              case XGBOOST_SEARCHES -> trained(xgBoost, without, features);
              case LAMBDARANK_UNBIASED -> trained(xgBoost, given, features);
              case TRUE_GRADES_SHOWN ->
                  trained(
                      lightGbm,
                      judged(
                          learn,
                          query -> {
                            Map<String, Integer> truth = query.truth();
                            truth
                                .keySet()
                                .retainAll(shown.getOrDefault(query.name(), Map.of()).keySet());
                            return truth;
                          }),
                      features);
              case TRUE_GRADES -> trained(lightGbm, judged(learn, Query::truth), features);
            };
        quality.get(way)[s] = SimulatedClicks.quality(test, ranker);
      }
    }
    double naive = mean(quality.get(Way.NAIVE));
    double gap = mean(quality.get(Way.TRUE_GRADES)) - naive;
    String shown =
        quality.entrySet().stream()
            .map(
                way ->
                    String.format(
                        Locale.ROOT,
                        "%s %s (%s over naive, %.0f %%)",
                        way.getKey(),
                        shown(way.getValue()),
                        shown(gains(way.getValue(), quality.get(Way.NAIVE))),
                        100 * (mean(way.getValue()) - naive) / gap))
            .collect(Collectors.joining(", "));
    System.out.println(
        name + ", " + users + ", " + SEEDS + " seeds from " + FIRST_SEED + ", NDCG@10: " + shown);
    if (name.equals("generated") && users.equals(new Users(1, 0.05, 0))) {
      double share = (mean(quality.get(Way.UNBIASED)) - naive) / gap;
      assertTrue(share > 0.8, shown);
      assertBetter(quality, Way.POSITION_FIELD, Way.SEARCHES, shown);
      assertBetter(quality, Way.LAMBDARANK_UNBIASED, Way.XGBOOST_SEARCHES, shown);
    }
  }

  /** One way recovers at least a third of the loss of another. */
  private static void assertBetter(
      Map<Way, double[]> quality, Way better, Way than, String message) {
    double before = mean(quality.get(than));
    double loss = mean(quality.get(Way.TRUE_GRADES)) - before;
    assertTrue(mean(quality.get(better)) - before > loss / 3, message);
  }

  /** Differences seed by seed. */
  private static double[] gains(double[] of, double[] over) {
    return IntStream.range(0, of.length).mapToDouble(seed -> of[seed] - over[seed]).toArray();
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
