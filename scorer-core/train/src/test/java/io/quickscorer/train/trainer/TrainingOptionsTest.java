// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.FeatureRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which features are categorical, and that both trainers are told. */
final class TrainingOptionsTest {
  private static final List<String> NAMES = List.of("worth", "colour", "brand", "size");
  private static final JsonNode FEATURES =
      new JsonMapper()
          .readTree(
              """
              [{"name": "worth", "type": "field", "field": "worth"},
               {"name": "colour", "type": "field", "field": "colour", "categories": ["red", "blue"]},
               {"name": "brand", "type": "field", "field": "brand", "hash": 64},
               {"name": "size", "type": "field", "field": "size", "categories": [1, 2], "normalize": "log1p"}]
              """);

  private static List<String> categorical(String... parameter) {
    Map<String, String> given =
        parameter.length == 0 ? Map.of() : Map.of(parameter[0], parameter[1]);
    TrainingOptions options = new TrainingOptions(1, 1, given).of(NAMES, FEATURES);
    assertEquals(Map.of(), options.parameters());
    return options.categorical();
  }

  @Test
  void theFeatureSetSaysIt() {
    assertEquals(List.of("colour", "brand"), categorical());
    JsonNode unknown = FEATURES.path("nothing");
    assertEquals(List.of(), new TrainingOptions(1, 1, Map.of()).of(NAMES, unknown).categorical());
  }

  @Test
  void aParameterSaysItByNamesAndNumbers() {
    assertEquals(
        List.of("size", "colour"), categorical("categorical_feature", "name:size, colour"));
    assertEquals(List.of("brand"), categorical("cat_feature", "2"));
    assertEquals(List.of(), categorical("categorical_feature", ""));
    for (String wrong : List.of("name:color", "4", "colour")) {
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class, () -> categorical("categorical_feature", wrong));
      assertTrue(e.getMessage().contains("no feature [" + wrong.replace("name:", "") + "]"));
    }
  }

  /** Odd categories are good: no threshold on the codes tells them apart in few splits. */
  @Test
  void bothTrainersSplitByCategories() {
    List<float[]> values = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      values.add(new float[] {i % 7, i % 11, i % 13, 0});
      labels.add(i % 11 % 2);
    }
    FeatureRows rows = new FeatureRows(values, labels, List.of(1000, 1000, 1000, 1000));
    TrainingOptions options = new TrainingOptions(3, 3, Map.of()).of(NAMES, FEATURES);
    for (Trainer trainer : List.of(new LightGbmTrainer(), new XGBoostTrainer())) {
      TrainedModel model = trainer.train(rows, null, NAMES, options, 10);
      TreeEnsemble ensemble =
          ModelReader.read(
              model.text().getBytes(StandardCharsets.UTF_8),
              ModelFormat.AUTO,
              EnsembleLimits.DEFAULT);
      assertTrue(ensemble.shape().categoricalSplits() > 0, trainer.description());
    }
  }
}
