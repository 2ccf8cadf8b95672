package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

public class FeatureSetTests extends OpenSearchTestCase {
  private static final String ALL_KINDS =
      """
      {"features": [
        {"name": "first", "type": "first_pass_score"},
        {"name": "title", "type": "query", "query": {"match": {"title": "{{keywords}}"}}},
        {"name": "text", "type": "query", "query": "{\\"terms\\":{\\"id\\":{{#toJson}}ids{{/toJson}}}}", "missing": 0},
        {"name": "popularity", "type": "field", "field": "popularity", "missing": -1.5},
        {"name": "mobile", "type": "param", "param": "mobile"},
        {"name": "age", "type": "param", "param": "user.age", "default": 30, "missing": "nan"}],
       "default_params": {"mobile": 0, "list": [1, "a"]}}
      """;

  private FeatureSet parse(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      return FeatureSet.parse("movies", parser);
    }
  }

  public void testReadsEveryKind() throws IOException {
    FeatureSet set = parse(ALL_KINDS);
    assertEquals(6, set.features().size());
    assertEquals(
        new FeatureDefinition.OfField("popularity", -1.5f, "popularity"), set.features().get(3));
    assertEquals(
        new FeatureDefinition.OfParam("age", Float.NaN, "user.age", 30f), set.features().get(5));
    assertEquals(Map.of("mobile", 0, "list", List.of(1, "a")), set.defaultParams());
  }

  public void testSurvivesTheWireAndJson() throws IOException {
    FeatureSet set = parse(ALL_KINDS);
    BytesStreamOutput out = new BytesStreamOutput();
    set.writeTo(out);
    assertEquals(set, new FeatureSet(out.bytes().streamInput()));
    String json = set.toXContent(XContentFactory.jsonBuilder(), ToXContent.EMPTY_PARAMS).toString();
    assertEquals(set, parse(json));
  }

  public void testReadsWhatTheLtrPluginStores() throws IOException {
    FeatureSet set =
        parse(
            """
            {"featureset": {"name": "movies", "features": [
              {"name": "title", "params": ["keywords"], "template_language": "mustache",
               "template": {"match": {"title": "{{keywords}}"}}}]}}
            """);
    assertEquals(
        "{\"match\":{\"title\":\"war\"}}",
        ((FeatureDefinition.OfQuery) set.features().get(0))
            .template()
            .render(Map.of("keywords", "war")));
  }

  public void testErrorsNameSetAndFeature() {
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"b\"}]}", "[movies]: feature [a]: [type]");
    assertRefused("{\"features\": [{\"name\": \"a\"}]}", "feature [a]: [type]");
    assertRefused("{\"features\": [{\"type\": \"field\"}]}", "feature number 0: expected a [name]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"field\"}]}", "feature [a]: [field]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"param\", \"param\": 3}]}",
        "feature [a]: [param]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"query\", \"query\": 3}]}",
        "feature [a]: [query]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"query\", \"query\": \"{{\"}]}",
        "feature [a]: template, character 0: tag is not closed");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"first_pass_score\", \"missing\": \"0\"}]}",
        "feature [a]: [missing]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"first_pass_score\", \"boost\": 1}]}",
        "feature [a]: unknown field [boost]");
    assertRefused("{\"features\": []}", "0 features");
    assertRefused("{\"features\": [], \"x\": 1}", "[movies]: unknown field [x]");
    assertRefused("{\"name\": \"other\", \"features\": []}", "names it [other]");
    assertRefused("{}", "expected an array [features]");
    String first = "{\"name\": \"a\", \"type\": \"first_pass_score\"}";
    assertRefused("{\"features\": [" + first + "," + first + "]}", "feature [a] is defined twice");
  }

  private void assertRefused(String json, String message) {
    IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> parse(json));
    assertTrue(e.getMessage(), e.getMessage().contains(message));
  }

  public void testParamValues() {
    FeatureDefinition.OfParam param = new FeatureDefinition.OfParam("a", -1, "x", null);
    assertEquals(2.5f, param.value(Map.of("x", 2.5)), 0);
    assertEquals(1f, param.value(Map.of("x", true)), 0);
    Map<String, Object> withNull = new java.util.HashMap<>();
    withNull.put("x", null);
    assertEquals(-1f, param.value(withNull), 0);
    expectThrows(IllegalArgumentException.class, () -> param.value(Map.of()));
    expectThrows(IllegalArgumentException.class, () -> param.value(Map.of("x", "3")));
    assertEquals(7f, new FeatureDefinition.OfParam("a", -1, "x", 7f).value(Map.of()), 0);
  }
}
