// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.FeatureRows;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What users give by {@code -P}, with the trainers themselves. */
final class ParametersTest {
  private static final List<String> NAMES = List.of("worth", "chance");
  private static final FeatureRows ROWS = rows(3);
  private static final FeatureRows VALIDATION = rows(4);

  private static FeatureRows rows(int seed) {
    Random random = new Random(seed);
    List<float[]> values = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      int label = random.nextInt(5) == 0 ? 1 : 0;
      values.add(new float[] {label + random.nextFloat() * 2, random.nextFloat()});
      labels.add(label);
    }
    return new FeatureRows(values, labels, Collections.nCopies(25, 40));
  }

  private static TrainedModel train(Trainer trainer, int trees, String... parameters) {
    Map<String, String> given =
        parameters.length == 2
            ? Map.of(parameters[0], parameters[1])
            : Map.of(parameters[0], parameters[1], parameters[2], parameters[3]);
    return trainer.train(ROWS, VALIDATION, NAMES, new TrainingOptions(trees, 10, given), 5);
  }

  private static int trees(TrainedModel model) {
    return ModelReader.read(
            model.text().getBytes(StandardCharsets.UTF_8), ModelFormat.AUTO, EnsembleLimits.DEFAULT)
        .trees()
        .size();
  }

  /** The error of scores that only rank grows with each tree: the first is the best. */
  @Test
  void lightGbmStopsAtTheSmallestError() {
    TrainedModel model = train(new LightGbmTrainer(), 40, "metric", "l2", "learning_rate", "0.5");
    List<Double> curve = model.curve().values();
    assertEquals("l2", model.curve().measure());
    assertFalse(model.curve().largerIsBetter());
    assertEquals(curve.indexOf(Collections.min(curve)) + 1, trees(model));
    assertNotEquals(curve.indexOf(Collections.max(curve)) + 1, trees(model));
    assertTrue(curve.size() - trees(model) <= 10, "ended by its patience: " + curve);
    TrainedModel ndcg = train(new LightGbmTrainer(), 40, "learning_rate", "0.5");
    assertEquals("ndcg@10", ndcg.curve().measure());
    curve = ndcg.curve().values();
    assertEquals(curve.indexOf(Collections.max(curve)) + 1, trees(ndcg));
  }

  /** Trees that came after the best ones have changed their weights. */
  @Test
  void dartIsSavedAsItWasMeasured() {
    String[] dart = {"boosting", "dart", "learning_rate", "0.5"};
    TrainedModel model = train(new LightGbmTrainer(), 40, dart);
    int best = trees(model);
    assertTrue(best < model.curve().values().size(), "ended by its patience");
    assertEquals(train(new LightGbmTrainer(), best, dart).text(), model.text());
  }

  @Test
  void xgBoostStopsAtTheSmallestError() {
    TrainedModel model = train(new XGBoostTrainer(), 40, "eval_metric", "rmse", "eta", "0.5");
    List<Double> curve = model.curve().values();
    assertFalse(model.curve().largerIsBetter());
    assertEquals(curve.indexOf(Collections.min(curve)) + 1, trees(model));
    assertNotEquals(curve.indexOf(Collections.max(curve)) + 1, trees(model));
    TrainedModel ndcg = train(new XGBoostTrainer(), 40, "eta", "0.5");
    curve = ndcg.curve().values();
    assertEquals(curve.indexOf(Collections.max(curve)) + 1, trees(ndcg));
  }

  @Test
  void eachTrainerShowsHowManyTreesThereAre() {
    PrintStream before = System.out;
    for (Trainer trainer : List.of(new LightGbmTrainer(), new XGBoostTrainer())) {
      ByteArrayOutputStream shown = new ByteArrayOutputStream();
      System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
      try {
        train(trainer, 7, "seed", "1");
      } finally {
        System.setOut(before);
      }
      assertTrue(
          shown.toString(StandardCharsets.UTF_8).contains("/7 ("),
          shown.toString(StandardCharsets.UTF_8));
    }
  }

  @Test
  void theBestOfSeveralIsThatWithTheSmallestError() {
    LearningCurve good = new LearningCurve("l2", false, List.of(3.0, 1.0, 2.0));
    LearningCurve bad = new LearningCurve("l2", false, List.of(5.0, 4.0));
    assertTrue(good.isBetterThan(bad));
    assertFalse(bad.isBetterThan(good));
    assertFalse(good.isBetterThan(LearningCurve.NONE));
  }

  @Test
  void anotherNameIsTheSameParameter() {
    Trainer lightGbm = new LightGbmTrainer();
    String half = train(lightGbm, 5, "learning_rate", "0.5").text();
    assertEquals(half, train(lightGbm, 5, "shrinkage_rate", "0.5").text());
    assertNotEquals(half, train(lightGbm, 5, "learning_rate", "0.4").text());
    Trainer xgBoost = new XGBoostTrainer();
    assertEquals(
        train(xgBoost, 5, "learning_rate", "0.5").text(), train(xgBoost, 5, "eta", "0.5").text());
    refused(
        "parameter learning_rate is set twice, under two names",
        "learning_rate",
        "0.5",
        "shrinkage_rate",
        "0.4");
  }

  @Test
  void whatLightGbmDoesNotKnowIsRefusedWithNearNames() {
    refused("-P num_leafs: LightGBM has no such parameter", "num_leafs", "7");
    refused("similar names: num_leaf, num_leaves", "num_leafs", "7");
    refused("LightGBM has no such parameter", "quite_something_else", "7");
    refused("-P metric: no evaluation measure is set", "metric", "none");
    refused("-P num_boost_round: has no effect here, use --trees", "num_boost_round", "7");
    refused("has no effect here, use --patience", "early_stopping_rounds", "7");
  }

  private static void refused(String expected, String... parameters) {
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> train(new LightGbmTrainer(), 5, parameters));
    assertTrue(refused.getMessage().contains(expected), refused.getMessage());
  }

  /** The evaluation would have gains that XGBoost has not learnt by. */
  @Test
  void xgBoostHasNoGainsOfItsOwn() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class, () -> train(new XGBoostTrainer(), 1, "label_gain", "0,1"));
    assertTrue(e.getMessage().contains("ndcg_exp_gain=false"), e.getMessage());
  }

  @Test
  void xgBoostTakesNamesInAscii() {
    new XGBoostTrainer().check(List.of("title match", "a,b"));
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () -> new XGBoostTrainer().check(List.of("pop", "gr\u00f6\u00dfe")));
    assertTrue(failure.getMessage().startsWith("feature [gr\u00f6\u00dfe]: XGBoost's library"));
  }
}
