// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchTestCase;

public class SearchBodyTests extends OpenSearchTestCase {
  private static final BigInteger LARGE = new BigInteger("18446744073709551615");

  private static Map<String, Object> pipeline() {
    Map<String, Object> term = new HashMap<>(Map.of("term", new HashMap<>(Map.of("n", LARGE))));
    Map<String, Object> filter = new HashMap<>(Map.of("filter_query", term));
    List<Object> processors = new ArrayList<>(List.of(filter));
    return new HashMap<>(Map.of("request_processors", processors));
  }

  /** Until version 3.7, the server removes from the maps of a pipeline what it has read. */
  public void testACopyHasAPipelineOfItsOwn() {
    SearchSourceBuilder body = new SearchSourceBuilder().searchPipelineSource(pipeline());
    SearchSourceBuilder copy = SearchBody.copy(body);
    assertEquals(pipeline(), copy.searchPipelineSource());
    List<?> processors = (List<?>) copy.searchPipelineSource().remove("request_processors");
    ((Map<?, ?>) processors.getFirst()).remove("filter_query");
    processors.clear();
    assertEquals(Map.of(), copy.searchPipelineSource());
    assertEquals(pipeline(), body.searchPipelineSource());
  }

  public void testAPipelineThatIsTooLarge() {
    Map<String, Object> large = Map.of("description", "x".repeat(1 << 20));
    SearchSourceBuilder body = new SearchSourceBuilder().searchPipelineSource(large);
    String message =
        expectThrows(IllegalArgumentException.class, () -> SearchBody.copy(body)).getMessage();
    assertTrue(message, message.startsWith("[search_pipeline]: "));
  }

  public void testWhichPipelinesMayAddAClause() {
    assertTrue(SearchBody.mayHaveClause(new SearchRequest()));
    SearchSourceBuilder body = new SearchSourceBuilder().searchPipelineSource(pipeline());
    assertFalse(SearchBody.mayHaveClause(new SearchRequest().source(body)));
    body.searchPipelineSource(
        Map.of("request_processors", List.of(Map.of("quickscorer", Map.of("model", "m")))));
    assertTrue(SearchBody.mayHaveClause(new SearchRequest().source(body)));
  }
}
