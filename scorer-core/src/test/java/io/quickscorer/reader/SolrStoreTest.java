// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.SOLR;
import static io.quickscorer.reader.SmallModels.SOLR_LINEAR;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Files of several of Solr's models, and JSON as Solr's parser takes it. */
final class SolrStoreTest {
  private static final String STORE =
      "{\"initArgs\":{},\"initializedOn\":\"2024-01-01T00:00:00.000Z\",\"managedList\":[";

  private static TreeEnsemble read(String file, String model) {
    ReadOptions options = new ReadOptions(OptionalInt.empty(), Map.of(), model);
    return ModelReader.read(bytes(file), ModelFormat.AUTO, EnsembleLimits.DEFAULT, options);
  }

  private static String refusal(String file, String model) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file, model));
    return String.valueOf(e.getMessage());
  }

  @Test
  void oneModel() {
    for (String file : List.of(STORE + SOLR + "]}", "[" + SOLR + "]", STORE + SOLR + ",]}")) {
      Ensembles.assertSame(SmallModels.read(SOLR), read(file, ""));
      Ensembles.assertSame(SmallModels.read(SOLR), read(file, "small"));
    }
  }

  @Test
  void severalModels() {
    String other = with(SOLR_LINEAR, "\"small\"", "\"other\"");
    for (String file : List.of(STORE + SOLR + "," + other + "]}", "[" + other + SOLR + "]")) {
      Ensembles.assertSame(SmallModels.read(SOLR), read(file, "small"));
      assertEquals(score(SmallModels.read(SOLR_LINEAR), 1, 2), score(read(file, "other"), 1, 2));
      assertTrue(refusal(file, "").contains("the store has 2 models; choose one of ["));
      assertTrue(refusal(file, "third").startsWith("byte 0: not exactly one model has this name"));
    }
    String wild = "a\nb" + "x".repeat(100);
    String named = with(SOLR, "\"small\"", "\"" + wild.replace("\n", "\\n") + "\"");
    assertTrue(
        refusal("[" + named + SOLR + "]", "").contains("[a?b" + "x".repeat(57) + ", small]"));
  }

  /** The place of what is wrong is that in the whole file. */
  @Test
  void places() {
    String file = STORE + with(SOLR, "\"0.5\"", "\"x\"") + "]}";
    assertTrue(refusal(file, "").startsWith("byte " + file.indexOf("\"x\"")), refusal(file, ""));
    assertTrue(refusal(SOLR, "small").contains("contains a single model"));
    assertTrue(
        refusal(SmallModels.LIGHTGBM, "small").contains("only supported for Solr model stores"));
  }

  @Test
  void lenient() {
    TreeEnsemble expected = SmallModels.read(SOLR);
    for (String file :
        List.of(
            with(SOLR, "\"300\"}}}}", "\"300\",},},},}"),
            with(SOLR, "{\"name\":\"title\"},", ",{\"name\":\"title\"},,"),
            with(SOLR, "{\"name\":\"title\"},", "{\"name\":\"title\"}"),
            with(SOLR, "{\"name\":\"title\"},", "{\"name\":\"title\"} "),
            with(SOLR, "\"params\":{\"trees\"", "\"params\" {\"trees\""),
            with(SOLR, "\"features\":[", "\"features\"["),
            "// a model\n" + SOLR,
            with(SOLR, "\"features\"", "/* all,\n of } them */ \"features\" # colon:\n"))) {
      Ensembles.assertSame(expected, read(file, ""));
    }
    for (String file :
        List.of(
            with(SOLR, "\"name\":\"small\",", "\"name\":\"small\" "),
            with(SOLR, "\"300\"", ""),
            with(SOLR, "\"300\"", "/ \"300\""),
            SOLR + "}",
            SOLR.substring(0, SOLR.length() - 3),
            with(SOLR, "\"features\"", "/* \"features\""))) {
      assertTrue(refusal(file, "").startsWith("byte "), file);
    }
  }
}
