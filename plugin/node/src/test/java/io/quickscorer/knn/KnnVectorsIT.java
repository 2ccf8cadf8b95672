// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.knn;

import static io.quickscorer.knn.KnnNode.API;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.RunningNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** {@code vector} features over fields of the k-NN plugin are what that plugin's functions give. */
@EnabledIfSystemProperty(named = "knn.home", matches = ".+", disabledReason = "-Pknn")
final class KnnVectorsIT {
  private static final int DOCUMENTS = 200;
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** What two sums of floats, in different orders, may differ by in relation to 1 + their value. */
  private static final double ROUNDING = 2e-6;

  /** A model that makes no difference: rules show the feature itself as the score. */
  private static final String STUMP =
      "[{\"nodeid\":0,\"split\":\"v\",\"split_condition\":0,\"yes\":1,\"no\":2,\"missing\":1,"
          + "\"children\":[{\"nodeid\":1,\"leaf\":1},{\"nodeid\":2,\"leaf\":2}]}]";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path data;

  private static RunningNode node;
  private static NodeClient client;

  /** A similarity of ours and the same of the k-NN plugin, in painless. */
  private enum Function {
    DOT("innerProduct(params.q, doc[params.f])"),
    COSINE("cosineSimilarity(params.q, doc[params.f])"),
    L2("Math.sqrt(l2Squared(params.q, doc[params.f]))"),
    L2_SQUARED("l2Squared(params.q, doc[params.f])"),
    L1("l1Norm(params.q, doc[params.f])"),
    LINF("lInfNorm(params.q, doc[params.f])"),
    HAMMING("hamming(params.q, doc[params.f])");

    private final String source;

    Function(String source) {
      this.source = source;
    }

    String similarity() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isFor(VectorField field) {
      return (this == HAMMING) == (field.numbers == VectorField.Numbers.BITS);
    }

    /** Whether both compute the same float, the one in floats and the other in doubles. */
    boolean isExactOver(VectorField field) {
      return field.isExact() && this != COSINE && this != L2;
    }
  }

  private record Case(VectorField field, Function function) {}

  static Stream<Case> cases() {
    return Stream.of(VectorField.values())
        .flatMap(
            field ->
                Stream.of(Function.values())
                    .filter(function -> function.isFor(field))
                    .map(function -> new Case(field, function)));
  }

  @BeforeAll
  static void indexVectors() throws Exception {
    System.out.println("-Dtests.seed=" + SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    node = KnnNode.start(data);
    client = node.client();
    for (boolean indexed : new boolean[] {true, false}) {
      List<VectorField> fields =
          Stream.of(VectorField.values()).filter(field -> field.indexed == indexed).toList();
      String index = fields.getFirst().index();
      KnnNode.createIndex(
          client,
          index,
          // The registry's zip lacks the native libraries, which build faiss' graphs: none is
          // built.
          indexed
              ? "\"index.knn\":true,\"index.knn.advanced.approximate_threshold\":-1"
              : "\"index.knn\":false",
          "\"price\":{\"type\":\"double\"},"
              + String.join(",", fields.stream().map(VectorField::mapping).toList()));
      // Several segments, deleted documents, and some without vectors.
      for (int part = 0; part < 2; part++) {
        StringBuilder bulk = new StringBuilder();
        for (int id = part; id < DOCUMENTS; id += 2) {
          bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n{\"price\":1");
          for (VectorField field : fields) {
            if (random.nextInt(8) > 0) {
              bulk.append(",\"%s\":%s".formatted(field, field.vector(random)));
            }
          }
          bulk.append("}\n");
        }
        JsonNode answer = client.post("/" + index + "/_bulk?refresh=true", bulk.toString());
        assertTrue(!answer.get("errors").asBoolean(), answer::toString);
      }
      for (int id = 0; id < DOCUMENTS; id += 11) {
        client.call("DELETE", "/" + index + "/_doc/" + id + "?refresh=true", "");
      }
    }
  }

  @AfterAll
  static void stop() {
    if (node != null) {
      node.close();
    }
  }

  private static Map<Integer, Float> scores(String index, String body) {
    Map<Integer, Float> scores = new TreeMap<>();
    for (JsonNode hit : client.post("/" + index + "/_search", body).at("/hits/hits")) {
      scores.put(hit.get("_id").asInt(), hit.get("_score").floatValue());
    }
    return scores;
  }

  /** The scores of the documents with a vector by a script of the k-NN plugin. */
  private static Map<Integer, Float> scriptScore(VectorField field, String script) {
    return scores(
        field.index(),
        "{\"size\":%s,\"query\":{\"script_score\":{\"query\":{\"exists\":{\"field\":\"%s\"}},\"script\":%s}}}"
            .formatted(DOCUMENTS, field, script));
  }

  /** What the k-NN plugin's function gives, to the bit: scores can't be negative, so by two. */
  private static Map<Integer, Float> expected(VectorField field, Function f, List<Number> query) {
    String script =
        "{\"source\":\"Math.max(0, %s" + f.source + ")\",\"params\":" + params(field, query) + "}";
    Map<Integer, Float> values = scriptScore(field, script.formatted(""));
    scriptScore(field, script.formatted("-"))
        .forEach((id, score) -> values.merge(id, -score, (a, b) -> a == 0 ? b + 0f : a));
    return values;
  }

  private static String params(VectorField field, List<Number> query) {
    return "{\"f\":\"" + field + "\",\"q\":" + query + "}";
  }

  private static void putSet(String features) {
    client.put(API + "/feature_sets/v", "{\"features\":[" + features + "]}");
  }

  private static String feature(VectorField field, String similarity) {
    return "{\"name\":\"v\",\"type\":\"vector\",\"field\":\"%s\",\"param\":\"q\",\"similarity\":\"%s\"}"
        .formatted(field, similarity);
  }

  private static String search(String clause, List<? extends Number> query) {
    return "{\"size\":%s,\"query\":{\"match_all\":{}},\"rescore\":{\"window_size\":%s,\"quickscorer\":{%s,\"params\":{\"q\":%s}}}}"
        .formatted(DOCUMENTS, DOCUMENTS, clause, query);
  }

  /** Values of features, by document; those that are missing are left out. */
  private static List<Map<Integer, Float>> logged(VectorField field, List<Number> query) {
    List<Map<Integer, Float>> columns = new ArrayList<>();
    JsonNode answer =
        client.post(
            "/" + field.index() + "/_search", search("\"feature_set\":\"v\",\"log\":true", query));
    for (JsonNode hit : answer.at("/hits/hits")) {
      JsonNode row = hit.at("/fields/_quickscorer/0/features");
      for (int i = 0; i < row.size(); i++) {
        if (columns.size() == i) {
          columns.add(new TreeMap<>());
        }
        if (!row.get(i).isNull()) {
          columns.get(i).put(hit.get("_id").asInt(), row.get(i).floatValue());
        }
      }
    }
    return columns;
  }

  private static void assertClose(Map<Integer, Float> expected, Map<Integer, Float> values) {
    assertEquals(expected.keySet(), values.keySet());
    expected.forEach(
        (id, value) ->
            assertEquals(
                value, values.get(id), ROUNDING * (1 + Math.abs(value)), "document " + id));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void valuesAndScoresAreThoseOfTheOtherPluginsFunctions(Case test) {
    VectorField field = test.field;
    putSet(feature(field, test.function.similarity()));
    client.put(API + "/models/stump?feature_set=v", STUMP);
    for (int i = 0; i < 5; i++) {
      List<Number> query = field.vector(new SplittableRandom(SEED + i));
      Map<Integer, Float> expected = expected(field, test.function, query);
      assertTrue(expected.size() > DOCUMENTS / 2);
      Map<Integer, Float> values = logged(field, query).getFirst();
      if (test.function.isExactOver(field)) {
        assertEquals(expected, values);
      } else {
        assertClose(expected, values);
      }
      for (String scope : List.of("shard", "global")) {
        String clause = "\"model\":\"stump\",\"final\":\"v\",\"scope\":\"" + scope + "\"";
        Map<Integer, Float> scores = scores(field.index(), search(clause, query));
        scores.keySet().retainAll(expected.keySet());
        assertEquals(values, scores);
      }
    }
  }

  /** The k-NN plugin's own score script, whose scores of a space are made of the function. */
  @ParameterizedTest
  @MethodSource("cases")
  void scoresOfItsSpacesCanBeHad(Case test) {
    boolean floats = !test.field.name().endsWith("BYTES");
    Map<Function, String> spaces = new HashMap<>();
    spaces.put(Function.L2_SQUARED, "l2 1 / (1 + v)");
    spaces.put(Function.L1, "l1 1 / (1 + v)");
    spaces.put(Function.LINF, "linf 1 / (1 + v)");
    spaces.put(Function.DOT, "innerproduct v >= 0 ? 1 + v : 1 / (1 - v)");
    spaces.put(Function.COSINE, "cosinesimil " + (floats ? "(1 + v) / 2" : "1 + v"));
    spaces.put(Function.HAMMING, "hamming 1 / (1 + v)");
    if (!spaces.containsKey(test.function)) {
      return;
    }
    String[] space = spaces.get(test.function).split(" ", 2);
    putSet(
        feature(test.field, test.function.similarity())
            + ",{\"name\":\"score\",\"type\":\"expression\",\"expression\":\""
            + space[1]
            + "\"}");
    List<Number> query = test.field.vector(new SplittableRandom(SEED));
    String script =
        "{\"lang\":\"knn\",\"source\":\"knn_score\",\"params\":{\"field\":\"%s\",\"query_value\":%s,\"space_type\":\"%s\"}}"
            .formatted(test.field, query, space[0]);
    assertClose(scriptScore(test.field, script), logged(test.field, query).get(1));
  }

  /** Its functions are there for features of kind script too, and give their own floats. */
  @Test
  void scriptsMayCallItsFunctions() {
    VectorField field = VectorField.LUCENE_FLOATS;
    Function function = Function.COSINE;
    putSet(
        "{\"name\":\"v\",\"type\":\"script\",\"script\":{\"source\":\"doc[params.f].size() == 0 ? Double.NaN : %s\",\"params\":{\"f\":\"%s\"}}}"
            .formatted(function.source, field));
    List<Number> query = field.vector(new SplittableRandom(SEED));
    assertEquals(expected(field, function, query), logged(field, query).getFirst());
  }

  @Test
  void whatDoesNotFitIsRefusedByName() {
    List<Number> whole = Collections.nCopies(VectorField.LENGTH, 1);
    for (Object[] wrong :
        new Object[][] {
          {
            VectorField.LUCENE_L2,
            "dot",
            List.of(1, 2),
            "has dimension 16, but the vector of the request has 2"
          },
          {
            VectorField.FAISS_L2,
            "dot",
            List.of(1, 2),
            "has dimension 16, but the vector of the request has 2"
          },
          {
            VectorField.PLAIN_BYTES,
            "l2",
            List.of(1),
            "has dimension 16, but the vector of the request has 1"
          },
          {
            VectorField.PLAIN_BITS,
            "hamming",
            List.of(1),
            "has dimension 128 (16 bytes), but the vector of the request has 1"
          },
          {
            VectorField.FAISS_BITS,
            "dot",
            whole,
            "data_type [binary], but similarity [dot] needs float"
          },
          {VectorField.LUCENE_L2, "hamming", whole, "similarity [hamming] needs binary"},
          {
            VectorField.PLAIN_BITS,
            "hamming",
            Collections.nCopies(VectorField.LENGTH, 1.5),
            "number 0 of the request's vector is 1.5"
          }
        }) {
      VectorField field = (VectorField) wrong[0];
      putSet(feature(field, (String) wrong[1]));
      assertRefused(field.index(), "feature [v]: field [" + field, (List<?>) wrong[2]);
      assertRefused(field.index(), (String) wrong[3], (List<?>) wrong[2]);
    }
    putSet(feature(VectorField.LUCENE_L2, "dot").replace("LUCENE_L2", "price"));
    assertRefused("indexed", "expected quickscorer_vector or knn_vector", whole);
  }

  @SuppressWarnings("unchecked")
  private static void assertRefused(String index, String message, List<?> query) {
    NodeClient.Answer answer =
        client.send(
            "POST",
            "/" + index + "/_search",
            search("\"feature_set\":\"v\"", (List<? extends Number>) query));
    assertEquals(400, answer.status(), answer::toString);
    assertTrue(answer.body().toString().contains(message), answer::toString);
  }
}
