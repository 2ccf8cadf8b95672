// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.answer;

import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.test.OpenSearchTestCase;

public class RescoreExtTests extends OpenSearchTestCase {
  private static Map<String, Object> model(String name, String model, String version) {
    return name.equals(model)
        ? Map.of("name", name, "version", version)
        : Map.of("name", name, "model", model, "version", version);
  }

  private static Map<String, Object> clause(Object... models) {
    return Map.of(
        "models", List.of(models[0]), "shadow_models", List.of(models).subList(1, models.length));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private static RescoreExt ext(Map<String, Object>... clauses) throws IOException {
    BytesStreamOutput out = new BytesStreamOutput();
    Wire.head(out);
    out.writeBoolean(false);
    out.writeCollection(List.of(clauses), StreamOutput::writeMap);
    return (RescoreExt) RescoreExt.read(out.bytes().streamInput());
  }

  public void testOneVersionOfEachModelAgrees() throws IOException {
    RescoreExt one =
        ext(clause(model("a", "a", "1"), model("live", "b", "2")), clause(model("b", "b", "2")));
    assertTrue(RescoreExt.agree(List.of()));
    assertTrue(RescoreExt.agree(List.of(one)));
    assertTrue(RescoreExt.agree(List.of(one, ext(clause(model("a", "a", "1"))))));
  }

  public void testTwoVersionsOfOneDoNot() throws IOException {
    RescoreExt one = ext(clause(model("a", "a", "1")));
    assertFalse(RescoreExt.agree(List.of(one, ext(clause(model("a", "a", "2"))))));
    assertFalse(RescoreExt.agree(List.of(one, ext(clause(model("live", "a", "2"))))));
    assertFalse(
        RescoreExt.agree(
            List.of(ext(clause(model("live", "a", "1")), clause(model("live", "b", "2"))))));
    assertFalse(
        RescoreExt.agree(
            List.of(
                ext(
                    clause(model("b", "b", "1"), model("a", "a", "1")),
                    clause(model("c", "c", "1"), model("a", "a", "2"))))));
  }
}
