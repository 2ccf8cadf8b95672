// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.FeatureRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A trained file says what its codes stand for, as the feature set did when it was logged. */
final class CategoryLineTest {
  private static final List<String> NAMES = List.of("worth", "colour", "size", "code");

  private static final JsonNode FEATURES =
      new JsonMapper()
          .readTree(
              """
              [{"name": "worth", "type": "field", "field": "worth"},
               {"name": "colour", "type": "field", "field": "colour", "categories": ["rot", "a\\"b", "weiß"]},
               {"name": "size", "type": "field", "field": "size", "categories": [30, 10, 20]},
               {"name": "code", "type": "param", "param": "code"}]
              """);

  private static byte[] trained(Map<String, String> parameters) {
    List<float[]> values = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      values.add(new float[] {i % 20, i % 3, i / 3 % 3, i % 4});
      labels.add(i % 3 == 1 || i % 4 == 2 ? 1 : 0);
    }
    List<Integer> groups = List.of(500, 500, 500, 500);
    return new LightGbmTrainer()
        .train(
            new FeatureRows(values, labels, groups),
            null,
            NAMES,
            new TrainingOptions(5, TrainingOptions.PLAIN.patience(), parameters),
            10)
        .file();
  }

  private static Map<Integer, CategoryList> lists(byte[] file) {
    TreeEnsemble ensemble = ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    assertTrue(ensemble.source().notes().isEmpty(), ensemble.source().notes().toString());
    return ensemble.categories();
  }

  @Test
  void oneListPerCategoricalFeature() {
    byte[] file = trained(Map.of("categorical_feature", "1,2,3"));
    assertEquals(Map.of(), lists(file));
    Map<Integer, CategoryList> lists = lists(CategoryLine.appended(file, NAMES, FEATURES));
    assertEquals(List.of("rot", "a\"b", "weiß"), lists.get(1).texts());
    assertEquals(CategoryList.ofNumbers(30, 10, 20), lists.get(2));
    assertTrue(lists.get(3).isCodes());
    assertEquals(4, lists.get(3).size());
  }

  @Test
  void withoutCategoricalFeaturesTheFileStaysAsItIs() {
    byte[] file = trained(Map.of());
    assertSame(file, CategoryLine.appended(file, NAMES, FEATURES));
  }
}
