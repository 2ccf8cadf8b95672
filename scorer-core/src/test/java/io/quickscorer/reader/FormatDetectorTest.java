// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.input.BoundedInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of formats, and how they are found out from the content. */
final class FormatDetectorTest {
  private static ModelFormat detect(String content) {
    return FormatDetector.detect(BoundedInput.of(bytes(content))).format();
  }

  @Test
  void labels() {
    for (ModelFormat format : ModelFormats.all()) {
      assertEquals(format, ModelFormats.of(format.label()));
      assertEquals(format, ModelFormats.of(format.label().toUpperCase(Locale.ROOT)), "in any case");
    }
    assertEquals("lightgbm_text", ModelFormats.LIGHTGBM_TEXT.label());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ModelFormats.of("lightgbm"));
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("unknown model format, expected one of auto, lightgbm_text, "));
  }

  @Test
  void everySmallModel() {
    DamagedModelsTest.models()
        .forEach(
            (label, model) ->
                assertEquals(
                    label.split(" ")[0],
                    label.startsWith("quickrank")
                        ? ModelReader.read(model, ModelFormat.AUTO, EnsembleLimits.DEFAULT)
                            .source()
                            .format()
                            .label()
                        : FormatDetector.detect(BoundedInput.of(model)).format().label()));
  }

  @Test
  void contents() {
    Map.of(
            "tree\n", ModelFormats.LIGHTGBM_TEXT,
            "tree\r\n", ModelFormats.LIGHTGBM_TEXT,
            "CBM1", ModelFormats.of("catboost_binary"),
            " [ { \"leaf\"", ModelFormats.of("xgboost_dump_json"),
            "booster[0]", ModelFormats.of("xgboost_dump_text"),
            "0:[f0<1", ModelFormats.of("xgboost_dump_text"),
            "{i", ModelFormats.of("xgboost_ubjson"),
            "## ", ModelFormats.of("ranklib"),
            " <ensemble>", ModelFormats.of("ranklib"),
            "<?xml version=\"1.0\"?>\n<ranker>", ModelFormats.of("ranklib"))
        .forEach((content, format) -> assertEquals(format, detect(content), content));
    for (String content :
        new String[] {
          "", "{", "tree", "trees\n", "[1", "##", "<rank>", "CBM", "[ \"", "[{\"id\":"
        }) {
      InvalidModelException e =
          assertThrows(InvalidModelException.class, () -> detect(content), content);
      assertEquals("byte 0: the content is not in a known model format", e.getMessage());
    }
  }

  @Test
  void jsonDocuments() {
    Map.of(
            "learner", ModelFormats.of("xgboost_json"),
            "tree_info", ModelFormats.of("lightgbm_json"),
            "splits", ModelFormats.of("xgboost_dump_json"),
            "features_info", ModelFormats.of("catboost_json"),
            "oblivious_trees", ModelFormats.of("catboost_json"),
            "_source", ModelFormats.of("stored_model"),
            "hits", ModelFormats.of("stored_model"),
            "feature_set", ModelFormats.of("stored_model"),
            "model", ModelFormats.of("stored_model"))
        .forEach(
            (name, format) -> {
              assertEquals(format, detect("{\"a\":[{\"b\":1}],\"" + name + "\":{}}"), name);
              assertEquals(ModelFormats.of("linear_json"), detect("{\"" + name + "\":1}"), name);
            });
    InvalidModelException e =
        assertThrows(InvalidModelException.class, () -> detect("{\"a\": 1, \"b\": true}"));
    assertEquals("byte 0: the JSON document is not in a known model format", e.getMessage());
  }

  @Test
  void files(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("model"), bytes(SmallModels.LIGHTGBM));
    assertEquals(
        "lightgbm_text",
        ModelReader.read(file, ModelFormats.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT)
            .source()
            .format()
            .label());
    Path empty = Files.write(folder.resolve("empty"), new byte[0]);
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(empty, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    assertEquals("byte 0: the content is not in a known model format", e.getMessage());
  }
}
