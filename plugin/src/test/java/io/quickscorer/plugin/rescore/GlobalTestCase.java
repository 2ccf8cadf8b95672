// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.opensearch.common.settings.Settings;

/** The same documents in one shard and in five, and searches that rank all of them together. */
public abstract class GlobalTestCase extends RescoreTestCase {
  static final int DOCUMENTS = 160;

  /** By their ids. */
  final List<Map<String, Object>> sources = new ArrayList<>();

  @After
  public void nothingIsHeld() throws Exception {
    assertNothingHeld();
  }

  /**
   * The same documents in one shard and in five, whose first-pass scores are about 0.31 apart
   * before the words of a query count.
   */
  void createIndices() throws IOException {
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      Map<String, Object> document = TestCatalogue.document(random);
      document.put("rank", (i * 37) % DOCUMENTS + random.nextDouble());
      sources.add(document);
      documents.add(json(document));
    }
    for (int shards : List.of(1, 5)) {
      String index = "of" + shards;
      createIndex(
          index,
          Settings.builder()
              .put("index.number_of_shards", shards)
              .put("index.number_of_replicas", 0)
              .build());
      call("PUT", "/" + index + "/_mapping", TestCatalogue.MAPPING);
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < DOCUMENTS; i++) {
        bulk.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
        bulk.append(documents.get(i)).append('\n');
      }
      assertEquals(
          false, call("POST", "/" + index + "/_bulk?refresh=true", bulk.toString()).get("errors"));
    }
  }

  /**
   * Words by which no document has the first-pass score of another, over all shards: which of two
   * equal ones comes first would depend on the shards.
   */
  String tellingWords(int count) throws IOException {
    String path = "/of5/_search?search_type=dfs_query_then_fetch";
    String text;
    long scores;
    do {
      text = TestCatalogue.words(random, count);
      String plain = "{\"size\":%s,\"query\":%s}".formatted(DOCUMENTS, query(text));
      scores = search(path, plain).stream().map(Hit::floatScore).distinct().count();
    } while (scores < DOCUMENTS);
    return text;
  }

  static String query(String text) {
    return """
    {"function_score": {"query": {"bool": {"should": [{"match_all": {}}, {"match": {"body": "%s"}}]}},
      "field_value_factor": {"field": "rank", "factor": 0.31}, "boost_mode": "sum"}}\
    """
        .formatted(text);
  }

  static String body(int from, int size, String text, int window, String clause) {
    return """
    {"from": %s, "size": %s, "query": %s, "rescore": {"window_size": %s, "quickscorer":
      {"model": "m", "params": {"q": "%s", "nowhere": "x"}, %s}}}\
    """
        .formatted(from, size, query(text), window, text, clause);
  }

  static List<String> places(List<Hit> hits) {
    return hits.stream().map(hit -> hit.id() + "=" + hit.score()).toList();
  }

  /** With hits of one score ordered by their ids. */
  static List<String> sorted(List<Hit> hits) {
    return places(
        hits.stream()
            .sorted(
                Comparator.comparingDouble((Hit hit) -> -hit.floatScore()).thenComparing(Hit::id))
            .toList());
  }
}
