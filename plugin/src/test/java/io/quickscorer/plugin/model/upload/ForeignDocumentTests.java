// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.List;
import java.util.Locale;
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
    return parse(json, null);
  }

  private static ForeignDocument parse(String json, String missing) {
    return ForeignDocument.parse(
        XContentType.JSON,
        new BytesArray(json),
        missing,
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
                  "name",
                  "t",
                  "type",
                  "query",
                  "query",
                  Map.of("match", Map.of("title", "{{k}}")),
                  "missing",
                  0),
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

  public void testAnEmptyTemplateIsRefusedByItsName() {
    for (String template : List.of("null", "5", "true", "\" \"", "[]", "[1]", "{}")) {
      IllegalArgumentException e =
          expectThrows(
              IllegalArgumentException.class,
              () ->
                  parse(
                      "{\"featureset\":{\"features\":[{\"name\":\"q\",\"template\":"
                          + template
                          + "}]}}"));
      assertEquals(
          "feature [q]: [template] must be a string or an object that is not empty",
          e.getMessage());
    }
  }

  /** The first one that is looked at would be refused otherwise. */
  public void testTooManyFeaturesAreRefusedBeforeAnyIsTranslated() {
    String features = "[" + "0,".repeat(2_000) + "0]";
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> parse("{\"featureset\":{\"name\":\"s\",\"features\":" + features + "}}"));
    assertEquals("feature set [s]: 2001 features, expected 1 to 2000", e.getMessage());
  }

  public void testNamesInExpressions() {
    Map<String, String> expressions =
        Map.of(
            "title.bm25*e5+1e5", "feature['title.bm25']*params.e5+1e5",
            "max($w, .5) - x.y_1", "max(params.$w, .5) - feature['x.y_1']",
            "a.b", "params.a.b",
            "e5e5 > 0x1f ? f1 : -1.e5", "e5e5 > 0x1f ? f1 : -1.e5");
    expressions.forEach(
        (there, here) -> {
          String set =
              "{\"featureset\":{\"features\":[{\"name\":\"d\",\"params\":[\"e5\",\"$w\",\"a.b\"],"
                  + "\"template_language\":\"derived_expression\",\"template\":\""
                  + there
                  + "\"}]}}";
          assertEquals(here, parse(set).features().getFirst().get("expression"));
        });
  }

  /** Such a feature has the value of a query without a match at this time. */
  public void testNamesOfLaterFeatures() {
    String set =
        "{\"featureset\":{\"features\":[{\"name\":\"a\",\"template\":{\"match_all\":{}}},"
            + "{\"name\":\"max\",\"params\":\"w\",\"template_language\":\"derived_expression\",\"template\":\"max"
            + " (a, w) + max +"
            + " b.c*b\"},{\"name\":\"b.c\",\"template_language\":\"derived_expression\",\"template\":\"max"
            + " - a\"},{\"name\":\"b\",\"template\":{\"match_all\":{}}}]}}";
    assertEquals("max (a, params.w) + 0 + 0*0", parse(set).features().get(1).get("expression"));
    assertEquals(
        "max (a, params.w) + (0/0) + (0/0)*(0/0)",
        parse(set, "keep").features().get(1).get("expression"));
    assertEquals("max - a", parse(set).features().get(2).get("expression"));
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

  private static String model(String type) {
    return "{\"name\":\"m\",\"feature_set\":"
        + SET
        + ",\"model\":{\"type\":\""
        + type
        + "\",\"definition\":\"x\"}}";
  }

  /** There vectors are of zeros at first, but those of XGBoost's trees of NaN. */
  public void testMissingValuesKeepTheirMeaning() {
    Map<String, String> meanings =
        Map.of(
            "model/ranklib", "0",
            "model/linear", "0",
            "model/xgboost+json", "keep",
            "model/xgboost+json+raw", "keep");
    meanings.forEach(
        (type, missing) -> {
          ForeignDocument read = parse(model(type));
          assertEquals(type, missing, read.missing());
          assertEquals(
              type, missing.equals("0"), read.features().getFirst().containsKey("missing"));
          assertEquals("keep", parse(model(type), "keep").missing());
          assertEquals(0, parse(model(type), "0").features().getFirst().get("missing"));
        });
    for (String definition :
        List.of("{\"missing_as_zero\":true}", "\"{\\\"missing_as_zero\\\" : true}\"")) {
      String zero = model("model/xgboost+json+raw").replace("\"x\"", definition);
      assertEquals("0", parse(zero).missing());
      assertEquals("keep", parse(zero, "keep").missing());
      assertEquals("keep", parse(zero.replace("true", "false")).missing());
    }
    assertEquals("0", parse("{\"featureset\":" + SET + "}").missing());
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> parse(model("x"), "1"));
    assertTrue(e.getMessage(), e.getMessage().contains("[missing] is [1]"));
  }

  public void testWhatHasNoCounterpartIsRefusedByName() {
    String expression =
        "{\"featureset\":{\"features\":[{\"name\":\"e\",\"template\":%s,"
            + "\"template_language\":\"derived_expression\"}]}}";
    Map<String, String> wrong =
        Map.of(
            String.format(Locale.ROOT, expression, "\"" + "a+".repeat(1_000) + "a\""),
            "feature [e]: [expression] has 2001 characters, expected at most 2000",
            "{\"found\":false}",
            "a model or feature set that does not exist",
            "{\"featureset\":{}}",
            "[features]",
            "{\"featureset\":{\"features\":[3]}}",
            "feature number 0",
            "{\"featureset\":{\"features\":[{\"name\":\"s\",\"template_language\":\"script_feature\"}]}}",
            "write a feature of [type] expression, which reads other features, or of [type] script",
            "{\"featureset\":{\"features\":[{\"name\":\"m\",\"template\":{\"match_explorer\":{}}}]}}",
            "feature [m]: [template] has query [match_explorer]",
            "{\"featureset\":{\"features\":[{\"name\":\"b\",\"template\":{\"bool\":{\"should\":[{\"match_all\":{}},"
                + "{\"term_stat\":{\"expr\":\"tf\"}}]}}}]}}",
            "feature [b]: [template] has query [term_stat]",
            "{\"featureset\":{\"features\":[{\"name\":\"q\",\"template\":\"{\\\"term_stat\\\":{}}\"}]}}",
            "write a feature of [type] term_statistics",
            String.format(Locale.ROOT, expression, "{}"),
            "feature [e]: [template]",
            String.format(Locale.ROOT, expression, "\"\""),
            "feature [e]: [template]");
    wrong.forEach(
        (json, says) -> {
          IllegalArgumentException e =
              expectThrows(IllegalArgumentException.class, () -> parse(json));
          assertTrue(json + " gives " + e.getMessage(), e.getMessage().contains(says));
        });
  }
}
