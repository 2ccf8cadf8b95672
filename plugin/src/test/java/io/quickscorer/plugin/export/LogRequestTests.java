// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.testing.FreeBudget;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.test.OpenSearchTestCase;

public class LogRequestTests extends OpenSearchTestCase {
  private static LogRequest parse(String json) {
    return LogRequest.parse(
        XContentType.JSON,
        new BytesArray(json),
        MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "test"));
  }

  public void testQueriesShareWhatStandsOutside() {
    LogRequest request =
        parse(
            "{\"index\":\"i\",\"format\":\"csv\",\"size\":7,\"query\":{\"match\":{\"t\":\"{{q}}\"}},"
                + "\"queries\":[{\"params\":{\"q\":\"a\"}},{\"qid\":\"x\",\"ids\":[1,\"b\"],"
                + "\"labels\":{\"1\":2,\"b\":0.5},\"size\":3}]}");
    assertEquals(LogFormat.CSV, request.format());
    LogRequest.JudgedQuery first = request.queries().get(0);
    assertEquals(1, first.qid());
    assertEquals(7, first.size());
    assertEquals(
        "{\"match\":{\"t\":\"a\"}}", first.query().render(first.params(), FreeBudget.create()));
    LogRequest.JudgedQuery second = request.queries().get(1);
    assertEquals("x", second.qid());
    assertEquals(List.of("1", "b"), second.ids());
    assertEquals(3, second.size());
    assertEquals(0.5, second.labels().get("b"));
  }

  public void testLabelsTellTheDocumentsWhereNothingElseDoes() {
    LogRequest request = parse("{\"index\":\"i\",\"queries\":[{\"labels\":{\"a\":1,\"b\":0}}]}");
    assertEquals(List.of("a", "b"), request.queries().getFirst().ids());
  }

  public void testErrorsNameTheField() {
    String ok = "\"queries\":[{\"ids\":[\"1\"]}]";
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("{" + ok + "}", "[index] is missing"),
            Map.entry("{\"index\":\"i\"}", "[queries] is missing"),
            Map.entry("{\"index\":\"i\",\"queries\":[]}", "queries:"),
            Map.entry(
                "{\"index\":\"i\",\"queries\":[3]}",
                "queries[0]: expected an object, not a number"),
            Map.entry("{\"index\":\"i\",\"queries\":[{}]}", "queries[0].ids:"),
            Map.entry("{\"index\":\"i\",\"queries\":[{\"ids\":[1],\"qid\":[]}]}", ".qid:"),
            Map.entry(
                "{\"index\":\"i\",\"queries\":[{\"ids\":[1],\"labels\":{\"a\":\"x\"}}]}",
                ".labels.a:"),
            Map.entry("{\"index\":\"i\",\"queries\":[{\"ids\":[1],\"x\":1}]}", "unknown field [x]"),
            Map.entry("{\"index\":\"i\",\"x\":1," + ok + "}", "unknown field [x]"),
            Map.entry("{\"index\":\"\"," + ok + "}", "index: expected"),
            Map.entry("{\"index\":\"" + "i".repeat(4_097) + "\"," + ok + "}", "index: found 4097"),
            Map.entry("{\"index\":\"i\",\"format\":\"x\"," + ok + "}", "format:"),
            Map.entry("{\"index\":\"i\",\"size\":0," + ok + "}", "size:"),
            Map.entry("{\"index\":\"i\",\"file\":\"x\"," + ok + "}", "file:"),
            Map.entry(
                "{\"index\":\"i\",\"format\":\"xgboost\",\"queries\":["
                    + "{\"qid\":2,\"ids\":[1]},{\"qid\":1,\"ids\":[1]}]}",
                "queries[1].qid: expected ascending numbers"),
            Map.entry(
                "{\"index\":\"i\",\"format\":\"ranklib\",\"queries\":[{\"qid\":-1,\"ids\":[1]}]}",
                "queries[0].qid: expected a whole number from 0"),
            Map.entry("{\"index\":\"i\",\"search_type\":\"x\"," + ok + "}", "search_type:"),
            Map.entry("{\"index\":\"i\",\"unlabelled\":\"x\"," + ok + "}", "unlabelled:"),
            Map.entry("{\"index\":\"i\",\"query\":3," + ok + "}", "query:"));
    wrong.forEach(
        (json, says) -> {
          IllegalArgumentException e =
              expectThrows(IllegalArgumentException.class, () -> parse(json));
          assertTrue(json + " gives " + e.getMessage(), e.getMessage().contains(says));
        });
  }
}
