// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.List;
import java.util.Map;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.test.OpenSearchTestCase;

public class ForeignDocumentTests extends OpenSearchTestCase {
  private static final String SET =
      "{\"name\":\"movies\",\"features\":["
          + "{\"name\":\"t\",\"params\":[\"k\"],\"template_language\":\"mustache\","
          + "\"template\":{\"match\":{\"title\":\"{{k}}\"}}},"
          + "{\"name\":\"d\",\"params\":[\"k\",\"boost\"],\"template_language\":\"derived_expression\",\"template\":\"t"
          + " * boost + ln(boosted)\"}]}";

  private static ForeignDocument parse(String json) {
    return ForeignDocument.parse(
        XContentType.JSON,
        new BytesArray(json),
        MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "test"));
  }

  public void testFeatureSetsAreTranslated() {
    String source = "{\"name\":\"movies\",\"type\":\"featureset\",\"featureset\":" + SET + "}";
    for (String document :
        List.of(source, "{\"_index\":\".x\",\"found\":true,\"_source\":" + source + "}")) {
      ForeignDocument read = parse(document);
      assertFalse(read.model());
      assertEquals("movies", read.name());
      assertEquals(
          List.of(
              Map.of(
                  "name", "t", "type", "query", "query", Map.of("match", Map.of("title", "{{k}}"))),
              Map.of(
                  "name",
                  "d",
                  "type",
                  "expression",
                  "expression",
                  "t * params.boost + ln(boosted)")),
          read.features());
    }
  }

  public void testModelsBringTheirSet() {
    String model =
        "{\"name\":\"m\",\"feature_set\":"
            + SET
            + ",\"model\":{\"type\":\"model/ranklib\",\"definition\":\"x\"}}";
    for (String document :
        List.of(
            model, "{\"_source\":{\"name\":\"m\",\"type\":\"model\",\"model\":" + model + "}}")) {
      ForeignDocument read = parse(document);
      assertTrue(read.model());
      assertEquals("m", read.name());
      assertEquals("movies", read.setName());
      assertEquals(2, read.features().size());
    }
  }

  public void testWhatHasNoCounterpartIsRefusedByName() {
    Map<String, String> wrong =
        Map.of(
            "{}",
            "GET _ltr/_model/NAME",
            "{\"found\":false}",
            "nothing was found",
            "{\"featureset\":{}}",
            "[features]",
            "{\"featureset\":{\"features\":[3]}}",
            "feature number 0",
            "{\"featureset\":{\"features\":[{\"name\":\"s\",\"template_language\":\"script_feature\"}]}}",
            "feature [s]: [template_language] script_feature",
            "{\"featureset\":{\"features\":[{\"name\":\"e\",\"template\":{},"
                + "\"template_language\":\"derived_expression\"}]}}",
            "feature [e]: [template]");
    wrong.forEach(
        (json, says) -> {
          IllegalArgumentException e =
              expectThrows(IllegalArgumentException.class, () -> parse(json));
          assertTrue(json + " gives " + e.getMessage(), e.getMessage().contains(says));
        });
  }
}
