// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.train.cluster.QuickScorerApi;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.JudgedQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The mistakes of a first hour: each is named before it costs anything, none reaches an alias. */
final class TrainMistakesIT {
  private static final String INDEX = "train_mistakes";
  private static final String ALIAS = "train_mistakes_live";
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private static Path temp;

  /** The shop, whose products' own ids stand in a field. */
  @BeforeAll
  static void index() throws Exception {
    NodeClient client = SharedNode.get().client();
    new ShopOnNode(client);
    ObjectNode index = ShopOnNode.SHOP.index().deepCopy();
    index.withObject("/mappings/properties/sku").put("type", "keyword");
    index
        .withObject("/mappings/properties/code")
        .put("type", "keyword")
        .put("normalizer", "lowercase");
    client.put("/" + INDEX, index.toString());
    StringBuilder lines = new StringBuilder();
    for (Corpus.Document document : ShopOnNode.SHOP.documents()) {
      lines.append("{\"index\":{\"_id\":\"doc-").append(document.id()).append("\"}}\n");
      ObjectNode source = document.source().deepCopy().asObject().put("sku", document.id());
      lines.append(source.put("code", "Code-" + document.id())).append('\n');
    }
    assertFalse(
        client
            .post("/" + INDEX + "/_bulk?refresh=true", lines.toString())
            .get("errors")
            .asBoolean());
  }

  private static Path judgments(String name, UnaryOperator<String> id) throws IOException {
    List<String> lines = new ArrayList<>(List.of("query_id\tquery\tdoc_id\tgrade"));
    for (JudgedQuery query : ShopOnNode.SHOP.queries()) {
      for (Map.Entry<String, Integer> judged : query.judgments().entrySet()) {
        lines.add(
            String.join(
                "\t",
                query.id(),
                query.text(),
                id.apply(judged.getKey()),
                judged.getValue().toString()));
      }
    }
    return Files.write(temp.resolve(name + ".tsv"), lines);
  }

  private static String quickscorer(String command, Path judgments, String... more)
      throws Exception {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(List.of("--cluster", SharedNode.get().address().toString()));
    line.addAll(List.of("--judgments", judgments.toString()));
    line.addAll(List.of(more));
    if (!command.equals("evaluate")) {
      Map<String, String> right =
          Map.of(
              "--index",
              INDEX,
              "--query",
              TrainIT.QUERY,
              "--size",
              "50",
              "--feature-set",
              ShopOnNode.FEATURE_SET);
      right.forEach(
          (option, value) ->
              line.addAll(line.contains(option) ? List.of() : List.of(option, value)));
    }
    return TrainIT.run(line);
  }

  private static String refused(String command, Path judgments, String... more) {
    return String.valueOf(
        assertThrows(IOException.class, () -> quickscorer(command, judgments, more)).getMessage());
  }

  @Test
  void idsThatTheIndexLacksAreExplained() throws Exception {
    Path own = judgments("own", id -> id);
    Path rows = temp.resolve("rows.ndjson");
    String said = refused("log", own, "-o", rows.toString());
    assertTrue(said.contains("0 of "), said);
    assertTrue(
        said.contains("field [sku] contains the judged ids: use --id-field sku (50 of 50 tried)"),
        said);
    assertTrue(
        said.contains("begin with [doc-]: add this prefix to the judged ids (50 of 50 tried)"),
        said);
    assertFalse(Files.exists(rows), "nothing is logged");

    String half =
        refused(
            "train",
            judgments(
                "half",
                id ->
                    id.hashCode() % 2 == 0 ? "doc-" + id : ("doc-" + id).toUpperCase(Locale.ROOT)),
            "-o",
            temp.resolve("half").toString());
    assertTrue(
        half.contains("lower case: change the case of the judged ids (50 of 50 tried)"), half);
    assertTrue(half.contains("less than --min-coverage 0.8"), half);

    String mended = quickscorer("log", own, "--id-field", "sku", "-o", rows.toString());
    assertTrue(mended.contains("(100 %)"), mended);
    assertTrue(
        mended.contains("relevant documents in the index are among the logged hits"), mended);
    long labelled =
        FeatureLog.read(rows).lines().stream()
            .filter(row -> JSON.readTree(row.text()).get("label").asInt() > 0)
            .count();
    assertTrue(labelled > 500, "labels are found by the field: " + labelled);

    Path coded = judgments("coded", id -> "CODE-" + id);
    String normalised = quickscorer("log", coded, "--id-field", "code", "-o", rows.toString());
    assertTrue(normalised.contains("(100 %)"), normalised);
  }

  @Test
  void conflictsAreAnError() throws Exception {
    Path twice = judgments("twice", id -> "doc-" + id);
    List<String> lines = new ArrayList<>(Files.readAllLines(twice));
    String[] cells = lines.get(1).split("\t");
    cells[3] = cells[3].equals("0") ? "1" : "0";
    lines.add(String.join("\t", cells));
    Files.write(twice, lines);
    String said = refused("log", twice, "-o", temp.resolve("twice.ndjson").toString());
    assertTrue(said.contains("line " + lines.size() + ": document [" + cells[2] + "]"), said);
    assertTrue(said.contains("in line 2; "), said);
  }

  /** Ranks say another thing than 100, 10, 1 and 0 do. */
  @Test
  void gradesAreConvertedOnlyIfAskedFor() throws Exception {
    Path graded = judgments("graded", id -> "doc-" + id);
    List<String> lines =
        Files.readAllLines(graded).stream().map(line -> line.replaceAll("\t3$", "\t100")).toList();
    Files.write(graded, lines);
    String said = refused("log", graded, "-o", temp.resolve("graded.ndjson").toString());
    assertTrue(said.contains("0, 1, 2, 100 become 0, 1, 2, 3"), said);
    assertTrue(said.contains("--convert-grades converts them: "), said);
    assertTrue(said.contains("-P label_gain=0,1,2,100"), said);
  }

  /** A query over a field that the index lacks is no error: it matches nothing. */
  @Test
  void aWrongFieldIsNamed() throws Exception {
    ObjectNode set = JSON.createObjectNode();
    ArrayNode features = set.putArray("features");
    features.addObject().put("name", "first_pass").put("type", "first_pass_score");
    features
        .addObject()
        .put("name", "wrong_match")
        .put("type", "query")
        .putObject("query")
        .putObject("match")
        .put("titel", "{{keywords}}");
    new QuickScorerApi(SharedNode.get().client()).putFeatureSet("mistakes_field", set);
    Path judgments = judgments("field", id -> "doc-" + id);
    String tuned = refused("train", judgments, "--tune-fields", "title,titel");
    assertTrue(tuned.contains("no document of index [" + INDEX + "] has field [titel]"), tuned);
    String said =
        refused(
            "train",
            judgments,
            "-o",
            temp.resolve("field").toString(),
            "--feature-set",
            "mistakes_field",
            "--upload",
            "mistakes_field",
            "--alias",
            "mistakes_field_live");
    assertTrue(said.contains("feature [wrong_match] is missing in all rows so far"), said);
    assertTrue(said.contains("feature_sets/mistakes_field?index=" + INDEX + " warns"), said);
    assertNull(new QuickScorerApi(SharedNode.get().client()).model("mistakes_field"));
    String file = temp.resolve("field.csv").toString();
    String logged =
        quickscorer(
            "log", judgments, "--feature-set", "mistakes_field", "--format", "csv", "-o", file);
    assertTrue(logged.contains("feature [wrong_match] is missing in all rows so far"), logged);
  }

  /** The reason of the cluster leads to the option that is wrong. */
  @Test
  void wrongNamesLeadToTheirOption() throws Exception {
    Path judgments = judgments("names", id -> "doc-" + id);
    String file = temp.resolve("names.ndjson").toString();
    Map<String, String> options =
        Map.of(
            "--feature-set", "no feature set [nowhere]; check --feature-set",
            "--index", "no such index [nowhere]; check --cluster, and the option with the name",
            "--query", "unknown query [nowhere]; check --query",
            "--param", "parameter [keywords] has no value; check --param, --params");
    for (Map.Entry<String, String> option : options.entrySet()) {
      String wrong = option.getKey().equals("--query") ? "{\"nowhere\": {}}" : "nowhere";
      String said = refused("log", judgments, "-o", file, option.getKey(), wrong);
      assertTrue(said.contains(option.getValue()), said);
    }
  }

  private static JsonNode result(Path folder) throws IOException {
    return JSON.readTree(Files.readString(folder.resolve("result.json")));
  }

  private static String served() throws Exception {
    return SharedNode.get()
        .client()
        .get("/_plugins/_quickscorer/aliases/" + ALIAS)
        .get("model")
        .asString();
  }

  /** A model that is better than the first pass, but not than the one that serves, stays out. */
  @Test
  void theAliasKeepsTheBetterModel() throws Exception {
    Path judgments = judgments("right", id -> "doc-" + id);
    Path good = temp.resolve("good");
    String first =
        quickscorer(
            "train",
            judgments,
            "-o",
            good.toString(),
            "--trees",
            "40",
            "--upload",
            "mistakes_1",
            "--alias",
            ALIAS);
    assertTrue(first.contains("alias " + ALIAS + " points to mistakes_1"), first);
    assertTrue(first.contains(" ms with it"), first);

    Path bad = temp.resolve("bad");
    Files.createDirectory(bad);
    Files.copy(good.resolve("features.ndjson"), bad.resolve("features.ndjson"));
    String said =
        quickscorer(
            "train",
            judgments,
            "-o",
            bad.toString(),
            "--trees",
            "2",
            "--upload",
            "mistakes_2",
            "--alias",
            ALIAS);
    assertTrue(said.contains("worse than the live model ("), said);
    assertTrue(said.contains("alias " + ALIAS + " is not moved: "), said);
    assertEquals("mistakes_1", served());
    assertEquals("mistakes_1", result(bad).at("/against/name").asString());
    assertTrue(result(bad).at("/ndcg_gain/significant").asBoolean(), said);
    assertFalse(result(bad).get("better").asBoolean());
    double live = result(good).at("/model/ndcg").asDouble();
    assertEquals(live, result(bad).at("/live/ndcg").asDouble(), 1e-12, "as it was judged itself");

    String self = refused("train", judgments, "-o", bad.toString(), "--upload", "mistakes_1");
    assertTrue(self.contains("point to the model with this name"), self);
    assertTrue(self.contains(ALIAS), self);
    String upload =
        TrainIT.run(
            List.of(
                "upload",
                good.toString(),
                "--cluster",
                SharedNode.get().address().toString(),
                "--feature-set",
                ShopOnNode.FEATURE_SET,
                "--upload",
                "mistakes_3",
                "--alias",
                ALIAS));
    assertTrue(upload.contains("was not compared with mistakes_1"), upload);
    assertEquals("mistakes_1", served());

    String same = quickscorer("evaluate", judgments, good.toString(), "--against", ALIAS);
    assertTrue(same.contains("but not than the live model ("), same);
    assertFalse(result(good).get("better").asBoolean());
    assertTrue(result(good).get("not_worse").asBoolean());
    assertNotNull(new QuickScorerApi(SharedNode.get().client()).model("mistakes_3"));
  }
}
