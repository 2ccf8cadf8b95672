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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of formats, and how they are found out from the content. */
final class FormatDetectorTest {
  private static ModelFormat detect(String content) {
    return FormatDetector.detect(BoundedInput.of(bytes(content)));
  }

  @Test
  void labels() {
    for (ModelFormat format : ModelFormat.values()) {
      assertEquals(format, ModelFormat.of(format.label()));
      assertEquals(format, ModelFormat.of(format.name()), "in any case");
    }
    assertEquals("lightgbm_text", ModelFormat.LIGHTGBM_TEXT.label());
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ModelFormat.of("lightgbm"));
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
                        : FormatDetector.detect(BoundedInput.of(model)).label()));
  }

  @Test
  void contents() {
    Map.of(
            "tree\n", ModelFormat.LIGHTGBM_TEXT,
            "tree\r\n", ModelFormat.LIGHTGBM_TEXT,
            "CBM1", ModelFormat.CATBOOST_BINARY,
            " [ {", ModelFormat.XGBOOST_DUMP_JSON,
            "booster[0]", ModelFormat.XGBOOST_DUMP_TEXT,
            "0:[f0<1", ModelFormat.XGBOOST_DUMP_TEXT,
            "{i", ModelFormat.XGBOOST_UBJSON,
            "## ", ModelFormat.RANKLIB,
            " <ensemble>", ModelFormat.RANKLIB,
            "<?xml version=\"1.0\"?>\n<ranker>", ModelFormat.RANKLIB)
        .forEach((content, format) -> assertEquals(format, detect(content), content));
    for (String content :
        new String[] {"", "{", "tree", "trees\n", "[1", "##", "<rank>", "CBM", "[ \""}) {
      InvalidModelException e =
          assertThrows(InvalidModelException.class, () -> detect(content), content);
      assertEquals("byte 0: the content is of no known model format", e.getMessage());
    }
  }

  @Test
  void jsonDocuments() {
    Map.of(
            "learner", ModelFormat.XGBOOST_JSON,
            "tree_info", ModelFormat.LIGHTGBM_JSON,
            "splits", ModelFormat.XGBOOST_DUMP_JSON,
            "features_info", ModelFormat.CATBOOST_JSON,
            "oblivious_trees", ModelFormat.CATBOOST_JSON,
            "_source", ModelFormat.STORED_MODEL,
            "hits", ModelFormat.STORED_MODEL,
            "feature_set", ModelFormat.STORED_MODEL,
            "model", ModelFormat.STORED_MODEL)
        .forEach(
            (name, format) -> {
              assertEquals(format, detect("{\"a\":[{\"b\":1}],\"" + name + "\":{}}"), name);
              assertEquals(ModelFormat.LINEAR_JSON, detect("{\"" + name + "\":1}"), name);
            });
    InvalidModelException e =
        assertThrows(InvalidModelException.class, () -> detect("{\"a\": 1, \"b\": true}"));
    assertEquals("byte 0: the JSON document is of no known model format", e.getMessage());
  }

  @Test
  void files(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("model"), bytes(SmallModels.LIGHTGBM));
    assertEquals(
        "lightgbm_text",
        ModelReader.read(file, ModelFormat.LIGHTGBM_TEXT, EnsembleLimits.DEFAULT)
            .source()
            .format());
    Path empty = Files.write(folder.resolve("empty"), new byte[0]);
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(empty, ModelFormat.AUTO, EnsembleLimits.DEFAULT));
    assertEquals("byte 0: the content is of no known model format", e.getMessage());
  }
}
