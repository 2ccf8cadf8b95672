// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** What is exported is what is logged is what is scored, to the bit, however it is asked for. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class LogExportTests extends QuickScorerHttpTestCase {
  private static final String SET = BASE + "feature_sets/log";
  private static final String FEATURES =
      "{\"features\":["
          + "{\"name\":\"title\",\"type\":\"query\",\"query\":{\"match\":{\"title\":\"{{q}}\"}}},"
          + "{\"name\":\"phrase\",\"type\":\"query\",\"query\":{\"match_phrase\":{\"title\":\"{{q}}\"}}},"
          + "{\"name\":\"price\",\"type\":\"field\",\"field\":\"price\"},"
          + "{\"name\":\"first\",\"type\":\"first_pass_score\"}]}";
  private static final String[] WORDS = {"red", "green", "blue", "shoe", "boot", "hat"};
  private static final String QUERY = "{\"match\":{\"title\":\"{{q}}\"}}";

  private final SplittableRandom random = new SplittableRandom(randomLong());

  /** A file as it came, with the query its next piece begins with, or null. */
  private record File(String text, String next, int rows, int notFound) {}

  private void createIndex(int shards) throws Exception {
    assertStatus(
        200,
        send(
            "PUT",
            "/docs" + shards,
            "{\"settings\":{\"number_of_shards\":"
                + shards
                // The order of equal scores can differ between copies.
                + ",\"number_of_replicas\":0},\"mappings\":{\"properties\":{\"title\":{\"type\":\"text\"},"
                + "\"price\":{\"type\":\"float\"}}}}"));
    StringBuilder bulk = new StringBuilder();
    for (int i = 0; i < 120; i++) {
      bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n{\"title\":\"");
      for (int w = 0; w <= random.nextInt(5); w++) {
        bulk.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
      }
      bulk.append('"');
      if (random.nextInt(4) > 0) {
        bulk.append(",\"price\":").append(random.nextDouble());
      }
      bulk.append("}\n");
    }
    assertStatus(200, send("POST", "/docs" + shards + "/_bulk?refresh=true", bulk.toString()));
    send("PUT", SET, FEATURES);
  }

  private static File export(String parameters, String body) throws Exception {
    Request request = new Request("POST", SET + "/_log" + parameters);
    request.setJsonEntity(body);
    Response response = getRestClient().performRequest(request);
    return new File(
        new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.UTF_8),
        response.getHeader("X-Quickscorer-Next"),
        Integer.parseInt(response.getHeader("X-Quickscorer-Rows")),
        Integer.parseInt(response.getHeader("X-Quickscorer-Not-Found")));
  }

  /** Rows of an NDJSON file by document. */
  private static Map<String, List<Object>> rows(String text) {
    Map<String, List<Object>> rows = new HashMap<>();
    for (String line : text.lines().skip(1).toList()) {
      Map<String, Object> row = XContentHelper.convertToMap(JsonXContent.jsonXContent, line, true);
      rows.put(row.get("qid") + "/" + row.get("_id"), floats((List<?>) row.get("features")));
    }
    return rows;
  }

  private static List<Object> floats(List<?> numbers) {
    List<Object> floats = new ArrayList<>();
    for (Object number : numbers) {
      floats.add(
          number == null ? "missing" : Float.floatToRawIntBits(((Number) number).floatValue()));
    }
    return floats;
  }

  public void testExportedIsLogged() throws Exception {
    for (int shards : new int[] {1, 5}) {
      createIndex(shards);
      for (String type : List.of("query_then_fetch", "dfs_query_then_fetch")) {
        String body =
            "{\"index\":\"docs%s\",\"format\":\"ndjson\",\"search_type\":\"%s\",\"size\":200,\"query\":%s,\"queries\":[%s]}";
        String best = "{\"qid\":1,\"params\":{\"q\":\"red shoe\"}}";
        File byQuery = export("", body.formatted(shards, type, QUERY, best));
        assertTrue(
            byQuery.text, byQuery.text.startsWith("{\"feature_names\":[\"title\",\"phrase\""));
        Map<String, List<Object>> logged = logged(shards, type);
        assertEquals(logged, rows(byQuery.text));
        assertEquals(logged.size(), byQuery.rows);

        // Asked for by their ids, and one that is not there.
        String ids =
            String.join("\",\"", logged.keySet().stream().map(k -> k.substring(2)).toList());
        String judged =
            "{\"qid\":1,\"params\":{\"q\":\"red shoe\"},\"ids\":[\"" + ids + "\",\"no\"]}";
        File byId = export("", body.formatted(shards, type, QUERY, judged));
        assertEquals(logged, rows(byId.text));
        assertEquals(1, byId.notFound);
        String twice = judged.replace("\"no\"", "\"no\",\"" + ids + "\"");
        File once = export("", body.formatted(shards, type, QUERY, twice));
        assertEquals(byId.text, once.text);
        assertEquals(1, once.notFound);
      }
    }
  }

  /** By query and document, from an ordinary search. */
  private Map<String, List<Object>> logged(int shards, String type) throws Exception {
    return logged(shards, type, 200, "\"feature_set\":\"log\"");
  }

  private Map<String, List<Object>> logged(int shards, String type, int size, String clause)
      throws Exception {
    Answer found =
        send(
            "POST",
            "/docs" + shards + "/_search?search_type=" + type,
            ("{\"size\":%s,\"query\":%s,\"rescore\":{\"window_size\":%s,\"quickscorer\":"
                    + "{%s,\"params\":{\"q\":\"red shoe\"}}}}")
                .formatted(size, QUERY.replace("{{q}}", "red shoe"), size, clause));
    assertStatus(200, found);
    Map<String, List<Object>> logged = new HashMap<>();
    for (Object hit : (List<?>) found.at("hits", "hits")) {
      Map<?, ?> map = (Map<?, ?>) hit;
      List<?> shown = (List<?>) ((Map<?, ?>) map.get("fields")).get("_quickscorer");
      logged.put(
          "1/" + map.get("_id"), floats((List<?>) ((Map<?, ?>) shown.getFirst()).get("features")));
    }
    assertTrue(logged.size() > 10);
    return logged;
  }

  /** What features relative to the window of all shards are in a search with that scope. */
  public void testExportedIsRelativeToTheWindowOfAllShards() throws Exception {
    createIndex(5);
    send(
        "PUT",
        SET,
        "{\"features\":[{\"name\":\"price\",\"type\":\"field\",\"field\":\"price\",\"normalize\":{\"window\":\"z_score\"}},"
            + "{\"name\":\"rank\",\"type\":\"first_pass_score\",\"normalize\":{\"window\":\"rank\"}}]}");
    String dfs = "dfs_query_then_fetch";
    String body =
        "{\"index\":\"docs5\",\"format\":\"ndjson\",\"search_type\":\"%s\",\"size\":20%s,\"query\":%s,\"queries\":[{\"qid\":1,\"params\":{\"q\":\"red"
            + " shoe\"}%s}]}";
    String global = ",\"scope\":\"global\"";
    Map<String, List<Object>> logged =
        logged(5, dfs, 20, "\"feature_set\":\"log\",\"scope\":\"global\"");
    assertEquals(20, logged.size());
    assertEquals(logged, rows(export("", body.formatted(dfs, global, QUERY, "")).text));
    String ids =
        ",\"ids\":[\""
            + String.join("\",\"", logged.keySet().stream().map(k -> k.substring(2)).toList())
            + "\"]";
    assertEquals(logged, rows(export("", body.formatted(dfs, global, QUERY, ids)).text));
    Answer perShard = send("POST", SET + "/_log", body.formatted(dfs, "", QUERY, ""));
    assertStatus(400, perShard);
    assertTrue(
        perShard.body(),
        perShard.body().contains("query [1]: feature [price]: [normalize] window"));
    Answer wrong =
        send("POST", SET + "/_log", body.formatted(dfs, ",\"scope\":\"all\"", QUERY, ""));
    assertStatus(400, wrong);
    assertTrue(wrong.body(), wrong.body().contains("scope: expected shard or global, not [all]"));
    String validated =
        "{\"index\":\"docs5\",\"params\":{\"q\":\"red\"},\"query\":" + QUERY + ",\"size\":10%s}";
    Answer report = send("POST", SET + "/_validate", validated.formatted(global));
    assertStatus(200, report);
    Map<?, ?> rank = (Map<?, ?>) ((List<?>) report.at("features")).get(1);
    assertEquals(report.body(), 1.0, ((Number) rank.get("min")).doubleValue(), 0);
    assertTrue(report.body(), ((Number) rank.get("max")).doubleValue() <= 10);
    assertTrue(report.body(), ((Number) rank.get("nanos_per_document")).doubleValue() > 0);
    assertStatus(400, send("POST", SET + "/_validate", validated.formatted("")));
  }

  public void testPiecesMakeUpTheWhole() throws Exception {
    createIndex(3);
    String queries =
        String.join(
            ",",
            IntStream.range(0, 20)
                .mapToObj(
                    i ->
                        String.format(
                            Locale.ROOT,
                            "{\"params\":{\"q\":\"%s\"},\"labels\":{\"%d\":2}}",
                            WORDS[i % WORDS.length],
                            i))
                .toList());
    String body =
        "{\"index\":\"docs3\",\"format\":\"csv\",\"size\":9,\"query\":"
            + QUERY
            + ",\"queries\":["
            + queries
            + "]}";
    File whole = export("", body);
    assertNull(whole.next);
    StringBuilder pieces = new StringBuilder();
    int rows = 0;
    String next = "0";
    for (int from = 0; next != null; from++) {
      assertEquals(Integer.toString(from), next);
      File piece = export("?max_bytes=1b&from=" + next, body);
      pieces.append(from == 0 ? piece.text : piece.text.substring(piece.text.indexOf('\n') + 1));
      rows += piece.rows;
      next = piece.next;
    }
    assertEquals(whole.text, pieces.toString());
    assertEquals(whole.rows, rows);
    File labelled = export("", body.replace("{\"index\"", "{\"unlabelled\":\"skip\",\"index\""));
    assertTrue(labelled.rows < whole.rows);
    assertTrue(labelled.text.lines().skip(1).allMatch(line -> line.startsWith("2,")));
  }

  public void testErrorsSayWhichQueryOrFeature() throws Exception {
    createIndex(1);
    String body = "{\"index\":\"%s\",\"query\":%s,\"queries\":[{\"qid\":7,\"params\":{%s}}]}";
    Answer noParam = send("POST", SET + "/_log", body.formatted("docs1", "{\"match_all\":{}}", ""));
    assertStatus(400, noParam);
    assertTrue(noParam.body(), noParam.body().contains("query [7]: "));
    assertTrue(noParam.body(), noParam.body().contains("feature [title]"));
    Answer badQuery =
        send("POST", SET + "/_log", body.formatted("docs1", "{\"nonsense\":{}}", "\"q\":1"));
    assertStatus(400, badQuery);
    assertTrue(badQuery.body(), badQuery.body().contains("query [7]: query: "));
    assertStatus(404, send("POST", SET + "/_log", body.formatted("none", QUERY, "\"q\":\"red\"")));
    assertStatus(
        404,
        send(
            "POST",
            BASE + "feature_sets/none/_log",
            body.formatted("docs1", QUERY, "\"q\":\"red\"")));
    assertStatus(
        400, send("POST", SET + "/_log?from=1", body.formatted("docs1", QUERY, "\"q\":\"red\"")));
  }

  /** Documents of one id in several indices would crowd each other out. */
  public void testIdsAreOfOneIndex() throws Exception {
    createIndex(1);
    createIndex(3);
    String body =
        "{\"index\":\"%s\",\"queries\":[{\"qid\":7,\"params\":{\"q\":\"red\"},\"ids\":[\"3\",\"4\"]}]}";
    assertEquals(2, export("", body.formatted("docs3")).rows);
    Answer refused = send("POST", SET + "/_log", body.formatted("docs1,docs3"));
    assertStatus(400, refused);
    assertTrue(
        refused.body(),
        refused.body().contains("query [7]: 2 ids match 4 documents of the indices"));
    refused = send("POST", SET + "/_log", body.formatted("docs1,docs3").replace("\"4\"", "\"zz\""));
    assertStatus(400, refused);
    assertTrue(
        refused.body(),
        refused.body().contains("query [7]: 2 ids match 2 documents of the indices"));
  }

  public void testQueriesAreToldApart() throws Exception {
    createIndex(1);
    String queries = "{\"qid\":%s,\"params\":{\"q\":\"red\"},\"ids\":[\"3\"]}";
    String body =
        "{\"index\":\"docs1\",\"format\":\"csv\",\"queries\":["
            + queries.formatted("2")
            + ","
            + queries.formatted("%s")
            + "]}";
    assertEquals(2, export("", body.formatted("\"x\"")).rows);
    // As a number or as a string, in the file it is the same.
    for (String qid : List.of("2", "\"2\"")) {
      Answer refused = send("POST", SET + "/_log", body.formatted(qid));
      assertStatus(400, refused);
      assertTrue(
          refused.body(),
          refused.body().contains("queries[1].qid: expected an id that no other query has"));
    }
  }

  public void testValidationNamesTheFeatureThatDoesNotFit() throws Exception {
    createIndex(2);
    String set =
        "{\"features\":[{\"name\":\"good\",\"type\":\"first_pass_score\"},{\"name\":\"bad\",%s}]}";
    for (String wrong :
        List.of(
            "\"type\":\"query\",\"query\":{\"range\":{\"day\":{\"gte\":\"rambo\"}}}",
            "\"type\":\"query\",\"query\":{\"nested\":{\"path\":\"no\",\"query\":{\"match_all\":{}}}}")) {
      send("PUT", "/docs2/_mapping", "{\"properties\":{\"day\":{\"type\":\"date\"}}}");
      assertTrue(send("PUT", BASE + "feature_sets/odd", set.formatted(wrong)).status() < 300);
      Answer refused = send("POST", BASE + "feature_sets/odd/_validate", "{\"index\":\"docs2\"}");
      assertStatus(400, refused);
      assertTrue(refused.body(), refused.body().contains("feature [bad]: "));
    }
  }

  public void testValidationReportsValuesAndCosts() throws Exception {
    checkValidation(2);
    checkValidation(1);
  }

  private void checkValidation(int shards) throws Exception {
    createIndex(shards);
    String index = "docs" + shards;
    String body =
        "{\"index\":\""
            + index
            + "\",\"params\":{\"q\":\"red\"},\"query\":"
            + QUERY
            + ",\"size\":50}";
    Answer report = send("POST", SET + "/_validate", body);
    assertStatus(200, report);
    List<?> features = (List<?>) report.at("features");
    assertEquals(4, features.size());
    for (Object each : features) {
      Map<?, ?> feature = (Map<?, ?>) each;
      assertTrue(report.body(), ((Number) feature.get("nanos_per_document")).doubleValue() > 0);
      int values = (Integer) feature.get("values");
      assertEquals(report.body(), report.at("hits"), values + (Integer) feature.get("missing"));
      assertTrue(report.body(), values > 0 == feature.containsKey("max"));
    }
    Answer wrong =
        send(
            "PUT",
            BASE + "feature_sets/wrong",
            "{\"features\":[{\"name\":\"nofield\",\"type\":\"field\",\"field\":\"nothing\"}]}");
    assertTrue(wrong.body(), wrong.status() < 300);
    Answer refused =
        send("POST", BASE + "feature_sets/wrong/_validate", "{\"index\":\"" + index + "\"}");
    assertStatus(400, refused);
    assertTrue(refused.body(), refused.body().contains("feature [nofield]"));
    assertStatus(400, send("POST", SET + "/_validate", "{\"index\":\"" + index + "\",\"size\":0}"));
    assertStatus(400, send("POST", SET + "/_validate", "{\"index\":\"" + index + "\",\"x\":0}"));
  }
}
