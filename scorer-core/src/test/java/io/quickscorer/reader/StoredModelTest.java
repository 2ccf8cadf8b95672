// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.bytes;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.Place;
import io.quickscorer.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The learning-to-rank plugin's documents, as its API gives them. */
public final class StoredModelTest {
  private static final float NAN = Float.NaN;

  private static final String FEATURES =
      """
      {"name":"set","features":[
      {"name":"a","params":["keywords"],"template_language":"mustache","template":{"match":{"t":"{{keywords}} \u00fc"}}},
      {"name":"b","params":[],"template":"{\\"match_all\\": {}}"},
      {"name":"c","params":[],"template":{}},
      {"name":"f1","params":[],"template":{}}]}\
      """;

  /** A document whose definition is this JSON text, a string or not. */
  private static String document(String type, String definition, String normalisers) {
    return """
    {"_index":".ltrstore","_type":"_doc","_id":"model-m","_version":1,"_seq_no":3,"found":true,
    "_source":{"name":"m","type":"model","model":{"name":"m","feature_set":%s,
    "model":{"type":"%s","definition":%s,"feature_normalizers":%s}}}}
    """
        .formatted(FEATURES, type, definition, normalisers);
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t")
        + '"';
  }

  public static final String DOCUMENT =
      document("model/ranklib", quoted(SmallModels.RANKLIB), "{}");

  private static final String DUMP =
      """
      [{"nodeid":0,"depth":0,"split":"c","split_condition":5,"yes":1,"no":2,"missing":2,"children":[
      {"nodeid":1,"leaf":1},{"nodeid":2,"leaf":20}]},
      {"nodeid":0,"depth":0,"split":"f1","split_condition":0.5,"yes":1,"no":2,"missing":1,"children":[
      {"nodeid":1,"leaf":300},{"nodeid":2,"leaf":4000}]}]\
      """;

  @Test
  void rankLib() {
    TreeEnsemble bound = read(DOCUMENT);
    assertEquals("stored_model", bound.source().format().label());
    assertEquals("LambdaMART", bound.source().objective());
    assertEquals(List.of("a", "b", "c", "f1"), bound.featureNames());
    TreeEnsemble plain = SmallModels.read(SmallModels.RANKLIB);
    for (float a : new float[] {0.5f, 0.6f, NAN}) {
      for (float c : new float[] {-1, -0.9f, NAN}) {
        assertEquals(score(plain, a, 9, c), score(bound, a, 9, c, 9));
      }
    }
  }

  @Test
  void partsOfTheDocument() {
    String source =
        DOCUMENT.substring(DOCUMENT.indexOf("{\"name\":\"m\""), DOCUMENT.lastIndexOf('}'));
    String model =
        source.substring(source.indexOf("{\"name\":\"m\",\"feature_set"), source.lastIndexOf('}'));
    for (String part : List.of(DOCUMENT, source, model)) {
      assertEquals(List.of("a", "b", "c", "f1"), read(part).featureNames());
      assertEquals("stored_model", SmallModels.read(part).source().format().label());
    }
  }

  @Test
  void xgBoostDump() {
    for (String definition :
        List.of(DUMP, quoted(DUMP), "{\"objective\":\"rank:pairwise\",\"splits\":" + DUMP + "}")) {
      TreeEnsemble bound = read(document("model/xgboost+json", definition, "{}"));
      assertEquals(1 + 4000, score(bound, 0, 0, 4, 1));
      assertEquals(20 + 300, score(bound, 0, 0, NAN, NAN));
    }
    String silent = with(DUMP, ",\"missing\":1", "");
    assertEquals(
        20 + 4000,
        score(read(document("model/xgboost+json", silent, "{}")), 0, 0, NAN, NAN),
        "no, as in that plugin");
    String zero = "{\"splits\":" + DUMP + ",\"missing_as_zero\":true}";
    assertEquals(1 + 300, score(read(document("model/xgboost+json", zero, "{}")), 0, 0, NAN, NAN));
    String unknown = document("model/xgboost+json", with(DUMP, "\"c\"", "\"d\""), "{}");
    assertRefused(unknown, "definition at byte", "feature [d] of the model is not among the 4");
  }

  @Test
  void xgBoostModel() {
    String named =
        with(SmallModels.XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"f1\",\"b\"]");
    TreeEnsemble stored = read(document("model/xgboost+json+raw", named, "{}"));
    TreeEnsemble plain = SmallModels.read(named);
    for (float first : new float[] {0, 1, NAN}) {
      for (float second : new float[] {1, 2, 33, NAN}) {
        assertEquals(score(plain, first, second), score(stored, 7, second, 7, first));
      }
    }
    assertEquals("3.4.0", stored.source().version());
    assertRefused(
        document("model/xgboost+json+raw", SmallModels.XGBOOST, "{}"), "feature [f0] of the model");
    String zero = with(named, "{\"learner\"", "{\"missing_as_zero\":true,\"learner\"");
    String flipped = with(zero, "\"default_left\":[1,", "\"default_left\":[0,");
    assertEquals(
        score(plain, 0, 0),
        score(read(document("model/xgboost+json+raw", flipped, "{}")), 7, NAN, 7, NAN));
  }

  @Test
  void linear() {
    String weights = "{\"c\": 0.5, \"a\": 1e9, \"f1\": 2}";
    TreeEnsemble bound = read(document("model/linear", weights, "{}"));
    // The order of the set decides, in float: first 1e9, then halves that it swallows.
    assertEquals((1e9f + 1.5f) + 8f, score(bound, 1, 99, 3, 4));
    assertEquals((0f + 1.5f) + 8f, score(bound, NAN, NAN, 3, 4));
    assertRefused(document("model/linear", "{\"c\":1,\"x\":2}", "{}"), "not in the feature set");
    assertRefused(document("model/linear", "{}", "{}"), "0 weights");
  }

  @Test
  void normalisersOfTrees() {
    String norms =
        "{\"c\":{\"min_max\":{\"minimum\":2,\"maximum\":4}},"
            + "\"f1\":{\"standard\":{\"mean\":10,\"standard_deviation\":0.5}}}";
    TreeEnsemble bound = read(document("model/xgboost+json", DUMP, norms));
    // (c - 2) / 2 < 5 is c < 12; (f1 - 10) / 0.5 < 0.5 is f1 < 10.25.
    assertEquals(1 + 300, score(bound, 0, 0, Math.nextDown(12f), Math.nextDown(10.25f)));
    assertEquals(20 + 4000, score(bound, 0, 0, 12f, 10.25f));
    assertEquals(20 + 300, score(bound, 0, 0, NAN, NAN), "missing stays missing");
    String zero = "{\"splits\":" + DUMP + ",\"missing_as_zero\":true}";
    String below = with(norms, "\"minimum\":2,\"maximum\":4", "\"minimum\":-20,\"maximum\":-16");
    assertEquals(
        // (0 + 20) / 4 = 5 is not below 5.
        20 + 300, score(read(document("model/xgboost+json", zero, below)), 0, 0, NAN, NAN));
    // RankLib's missing values are 0 and normalised: (0 - 2) / 4 <= -1 is false, with -2 it is
    // true.
    String third = "{\"c\":{\"standard\":{\"mean\":%s,\"standard_deviation\":2}}}";
    String rankLib = quoted(SmallModels.RANKLIB);
    TreeEnsemble one = read(document("model/ranklib", rankLib, third.formatted("1")));
    TreeEnsemble two = read(document("model/ranklib", rankLib, third.formatted("2")));
    assertEquals(score(one, 1, 0, 5, 0), score(one, 1, 0, NAN, 0));
    assertEquals(score(two, 1, 0, -9, 0), score(two, 1, 0, NAN, 0));
  }

  @Test
  void normalisersOfLinearModels() {
    String norms = "{\"a\":{\"standard\":{\"mean\":0.1,\"standard_deviation\":0.3}}}";
    TreeEnsemble bound = read(document("model/linear", "{\"a\":0.7,\"b\":1.1}", norms));
    float normalised = (5 - 0.1f) / 0.3f;
    assertEquals(0.7f * normalised + 1.1f * 2, score(bound, 5, 2, 0, 0));
    assertEquals(0.7f * ((0 - 0.1f) / 0.3f), score(bound, NAN, NAN, 0, 0));
  }

  @Test
  void boundsOfNormalisers() {
    SplittableRandom random = Seeds.random("normalisers");
    for (int round = 0; round < 20_000 * Seeds.iterations(); round++) {
      Normaliser normaliser = new Normaliser(anyFloat(random), Math.abs(anyFloat(random)));
      float threshold = round % 50 == 0 ? Float.POSITIVE_INFINITY : anyFloat(random);
      float bound = normaliser.bound(threshold);
      for (float x :
          new float[] {
            bound, Math.nextUp(bound), Math.nextDown(bound), anyFloat(random), 0f, -0f
          }) {
        assertEquals(normaliser.apply(x) <= threshold, x <= bound, () -> normaliser + " at " + x);
      }
    }
  }

  /** Any finite float but 0, small exponents and large ones alike. */
  private static float anyFloat(SplittableRandom random) {
    float x;
    do {
      x =
          random.nextBoolean()
              ? Float.intBitsToFloat(random.nextInt())
              : (float) random.nextDouble(-100, 100);
    } while (!Float.isFinite(x) || x == 0);
    return x;
  }

  @Test
  void traps() {
    assertRefused(with(DOCUMENT, "\"found\":true", "\"found\":false"), "[found] is false");
    assertRefused("{\"took\":1,\"hits\":{\"hits\":[]}}", "expected the document of one model");
    assertRefused(with(DOCUMENT, "model/ranklib", "model/other"), "type: expected model/ranklib");
    assertRefused(with(DOCUMENT, "model/ranklib", ""), "type: missing");
    assertRefused(with(DOCUMENT, "\"definition\"", "\"definitions\""), "definition: missing");
    assertRefused(
        with(DOCUMENT, "\"type\":\"model/ranklib\"", "\"type\":7"), "type: found a number");
    assertRefused(with(DOCUMENT, "{\"name\":\"b\",", "{"), "feature 1, name: missing");
    assertRefused(
        with(DOCUMENT, "{\"name\":\"b\"", "{\"name\":\"a\""),
        "feature 1: its name [a] is already taken");
    assertRefused(
        with(DOCUMENT, "<feature> 3 <", "<feature> 5 <"),
        "feature [5] of the model is not among the 4");
    assertRefused(with(DOCUMENT, " 0.5 ", " NaN "), "definition at byte", "NaN");
    assertRefused(document("model/ranklib", "5", "{}"), "definition: expected an object");
    String[][] normalisers = {
      {"{\"a\":{}}", "expected standard or min_max"},
      {"{\"a\":{\"log\":{}}}", "expected standard or min_max"},
      {"{\"x\":{\"min_max\":{}}}", "not in the feature set"},
      {"{\"a\":{\"standard\":{\"mean\":1}}}", "divisor 0.0"},
      {"{\"a\":{\"min_max\":{\"minimum\":2,\"maximum\":1}}}", "divisor -1.0"},
      {"{\"a\":{\"min_max\":{\"least\":2}}}", "unknown field"},
      {"{\"a\":{\"min_max\":{},\"standard\":{\"standard_deviation\":1}}}", "more than one"},
      {"{\"a\":{\"standard\":{\"mean\":1e999,\"standard_deviation\":1}}}", "Infinity"},
    };
    for (String[] normaliser : normalisers) {
      assertRefused(
          document("model/ranklib", quoted(SmallModels.RANKLIB), normaliser[0]), normaliser[1]);
    }
    String nested = "{\"model\":{\"model\":{\"model\":{\"model\":{}}}}}";
    assertRefused(nested, "model: nested too deeply");
    assertRefused("{\"_source\":{\"_source\":{}}}", "found inside another _source");
    String categories =
        with(SmallModels.XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"a\",\"b\"]");
    assertRefused(
        document("model/xgboost+json+raw", categories, "{\"b\":{\"min_max\":{}}}"),
        "tree 0, node 1: the split tests categories");
  }

  private static TreeEnsemble readWithin(EnsembleLimits limits) {
    return ModelReader.read(bytes(DOCUMENT), ModelFormat.AUTO, limits);
  }

  @Test
  void limits() {
    EnsembleLimits few = new EnsembleLimits(10, 10, 10, 3, 100, 10);
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> readWithin(few));
    assertEquals(EnsembleLimits.Limit.FEATURES, e.limit());
    EnsembleLimits noTrees = new EnsembleLimits(10, 2, 10, 10, 100, 10);
    e = assertThrows(InvalidModelException.class, () -> readWithin(noTrees));
    assertEquals(EnsembleLimits.Limit.LEAVES, e.limit());
    assertFalse(String.valueOf(e.getMessage()).isEmpty());
  }

  @Test
  void notes() {
    assertEquals(
        List.of("model/ranklib, with the features of the stored model document"),
        read(DOCUMENT).source().notes());
    String named =
        with(SmallModels.XGBOOST, "\"feature_names\":[]", "\"feature_names\":[\"f1\",\"b\"]");
    String norms = "{\"f1\":{\"min_max\":{\"minimum\":0,\"maximum\":1}}}";
    List<String> notes = read(document("model/xgboost+json+raw", named, norms)).source().notes();
    assertEquals("1 normalisers of features are included in the model", notes.getLast());
    assertTrue(notes.get(1).startsWith("scores include the base score"));
    assertTrue(notes.get(1).contains("uses base_weights as leaf values, which differ"));
  }

  /** What is sent to create a model in a set of features, which only the plugin knows. */
  @Test
  void bodyThatCreatesAModel() {
    String body = "{\"model\":{\"name\":\"m\",\"model\":{\"type\":\"%s\",\"definition\":%s}}}";
    TreeEnsemble ranklib = read(body.formatted("model/ranklib", quoted(SmallModels.RANKLIB)));
    assertEquals(List.of("1", "2", "3"), ranklib.featureNames());
    TreeEnsemble plain = read(SmallModels.RANKLIB);
    for (float x : new float[] {0, 1, NAN}) {
      assertEquals(score(plain, x, 0, -1), score(ranklib, x, 0, -1));
    }
    assertTrue(ranklib.source().notes().get(0).contains("without its feature set"));
    TreeEnsemble dump = read(body.formatted("model/xgboost+json", DUMP));
    assertEquals(List.of("c", "f1"), dump.featureNames().stream().sorted().toList());
    TreeEnsemble linear = read(body.formatted("model/linear", "{\"a\":2,\"b\":3}"));
    assertEquals(2 * 5f + 3 * 7f, score(linear, 5, 7));
  }

  /** Nothing but the way of missing values changes. */
  @Test
  void missingAsZero() {
    TreeEnsemble plain = SmallModels.read(SmallModels.XGBOOST);
    TreeEnsemble zero =
        SmallModels.read(
            with(SmallModels.XGBOOST, "{\"learner\"", "{\"missing_as_zero\":true,\"learner\""));
    NodeStatistics expected = plain.trees().getFirst().statistics();
    NodeStatistics found = zero.trees().getFirst().statistics();
    for (int split = 0; split < 2; split++) {
      assertEquals(expected.splitCover(split), found.splitCover(split));
      assertEquals(expected.gain(split), found.gain(split));
    }
    for (int leaf = 0; leaf < 3; leaf++) {
      assertEquals(expected.leafCover(leaf), found.leafCover(leaf));
    }
    for (float a : new float[] {0, 0.5f, 1}) {
      for (float b : new float[] {0, 1, 33}) {
        assertEquals(score(plain, a, b), score(zero, a, b));
        assertEquals(score(plain, 0, b), score(zero, NAN, b));
        assertEquals(score(plain, a, 0), score(zero, a, NAN));
      }
    }
    TreeEnsemble member =
        SmallModels.read(
            with(
                with(SmallModels.XGBOOST, "{\"learner\"", "{\"missing_as_zero\":true,\"learner\""),
                "\"categories\":[1,33]",
                "\"categories\":[0,33]"));
    assertEquals(score(member, 1, 0), score(member, 1, NAN));
    assertNotEquals(score(member, 1, 1), score(member, 1, NAN));
  }

  /** A missing value is 0, which a threshold of 0 sends left. */
  @Test
  void thresholdsOfZero() {
    String zero = with(SmallModels.RANKLIB, " 0.5 ", " 0 ");
    assertEquals(score(SmallModels.read(zero), 0, 0, 0), score(SmallModels.read(zero), NAN, 0, 0));
    TreeEnsemble bound = read(document("model/ranklib", quoted(zero), "{}"));
    assertEquals(score(bound, 0, 0, 0, 0), score(bound, NAN, 0, 0, 0));
    assertNotEquals(score(bound, 1, 0, 0, 0), score(bound, NAN, 0, 0, 0));
  }

  @Test
  void impossibleNormalisers() {
    Place place = DocumentReader.json(BoundedInput.ofPlain(bytes("{}")));
    for (float[] parts :
        new float[][] {{NAN, 1}, {1, 0}, {1, -1}, {1, NAN}, {1, Float.POSITIVE_INFINITY}}) {
      InvalidModelException e =
          assertThrows(InvalidModelException.class, () -> Normaliser.of(place, parts[0], parts[1]));
      assertEquals(
          "byte 0: normaliser: offset "
              + parts[0]
              + ", divisor "
              + parts[1]
              + ", expected finite numbers and a divisor above 0",
          e.getMessage());
    }
  }

  @Test
  void weightsOutsideOfTheSet() {
    String model = "{\"c\": 1, \"x\": 2, \"y\": 3}";
    assertRefused(
        document("model/linear", model, "{}"),
        "byte 0: 2 features with a weight are not in the feature set, the first is [x]");
    EnsembleLimits one = new EnsembleLimits(1, 1, 1, 1, 1, 1);
    SmallModels.assertRefusedAt(
        SmallModels.LINEAR, "-5E-1", "weight 1, features: 2, at most 1 allowed", one);
    assertRefused("{\"a\": 1, \"b\": \"1\"}", "not in a known model format");
  }
}
