// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
        {"name": "age", "type": "param", "param": "user.age", "default": 30, "missing": "nan"},
        {"name": "prices", "type": "field", "field": "price", "mode": "avg",
         "normalize": [{"clip": {"min": 0}}, "log1p", {"min_max": {"min": 0.1, "max": 3}},
                       {"z_score": {"mean": 1, "standard_deviation": 2.5}}]},
        {"name": "brand", "type": "field", "field": "brand", "categories": ["b", "a"]},
        {"name": "size", "type": "field", "field": "size", "categories": [30, 9007199254740991, 0.5]},
        {"name": "own", "type": "field", "field": "colour", "categories": "model"},
        {"name": "colour", "type": "field", "field": "colour", "hash": 256},
        {"name": "far", "type": "field", "field": "place", "distance_from": "here", "unit": "km", "mode": "max"},
        {"name": "rare", "type": "term_statistics", "field": "title", "text": "{{keywords}}",
         "statistic": "idf", "aggregate": "max", "normalize": "log1p"},
        {"name": "scripted", "type": "script", "script": {"source": "params.a", "params": {"a": 1}}},
        {"name": "near", "type": "vector", "field": "v", "param": "query_vector", "similarity": "cosine"},
        {"name": "ratio", "type": "expression", "expression": "popularity / (1 + feature['first'])"}],
       "default_params": {"mobile": 0, "list": [1, "a"]}}
      """;

  private FeatureSet parse(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      return FeatureSet.read("movies", Door.within(parser));
    }
  }

  /** Where the server's queries have scripts, and where the word means a field. */
  public void testScriptsAreFound() throws IOException {
    String script = "{\"source\":\"1\"}";
    for (String query :
        List.of(
            "{\"script\":{\"script\":" + script + "}}",
            "{\"script\":{\"script\":\"1\"}}",
            "{\"script_score\":{\"query\":{\"match_all\":{}},\"script\":{\"id\":\"x\"}}}",
            "{\"bool\":{\"must\":[{\"function_score\":{\"functions\":[{\"script_score\":{\"script\":"
                + script
                + "}}]}}]}}",
            "{\"terms_set\":{\"f\":{\"terms\":[\"a\"],\"minimum_should_match_script\":"
                + script
                + "}}}",
            "{\"intervals\":{\"f\":{\"match\":{\"query\":\"a\",\"filter\":{\"script\":"
                + script
                + "}}}}}",
            "\"{\\\"script\\\": {{{s}}}}\"")) {
      assertTrue(query, query(query).usesScripts());
    }
    for (String query :
        List.of(
            "{\"match\":{\"script\":\"{{x}}\"}}",
            "{\"match\":{\"script\":{\"query\":\"script\"}}}",
            "{\"match\":{\"script_score\":{\"query\":\"id\"}}}",
            "{\"terms\":{\"source\":[\"script\"]}}")) {
      assertFalse(query, query(query).usesScripts());
    }
  }

  private FeatureSet query(String query) throws IOException {
    return parse("{\"features\":[{\"name\":\"q\",\"type\":\"query\",\"query\":" + query + "}]}");
  }

  public void testReadsEveryKind() throws IOException {
    FeatureSet set = parse(ALL_KINDS);
    assertEquals(16, set.features().size());
    assertEquals(
        new FieldFeature(
            "popularity",
            new Modifiers(List.of(), -1.5f),
            "popularity",
            new FieldFeature.Reading.Numbers(Aggregate.MIN)),
        set.features().get(3));
    assertEquals(new ParamFeature("age", Modifiers.NONE, "user.age", 30f), set.features().get(5));
    assertEquals(Map.of("mobile", 0, "list", List.of(1, "a")), set.defaultParams());
  }

  public void testSurvivesJson() throws IOException {
    FeatureSet set = parse(ALL_KINDS);
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
        ((QueryFeature) set.features().get(0))
            .template()
            .render(Map.of("keywords", "war"), FreeBudget.create()));
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
        "feature [a]: template, character 0: the tag is not closed");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"first_pass_score\", \"missing\": \"0\"}]}",
        "feature [a]: [missing]");
    assertRefused(
        "{\"features\": [{\"name\": \"a\", \"type\": \"first_pass_score\", \"boost\": 1}]}",
        "feature [a]: unknown field [boost]");
    assertRefused("{\"features\": []}", "0 features");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'mode': 'median'", "[mode] must be one of min, max");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'mode': 'count', 'missing': 1", "never missing");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'hash': 0", "[hash] must be a whole number");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'hash': 1.5", "[hash] must be a whole number");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'hash': 2, 'mode': 'max'", "unknown field [mode]");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': []", "[categories] must be a list");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': ['a', 'a']", "the same name twice");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': [1, 2, 1]", "the same value");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': [1, 'a']", "a finite number");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': ['a', 1]", "must be a list of strings");
    assertFeatureRefused("'type': 'field', 'field': 'x', 'categories': 'file'", "must be a list");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'categories': [9007199254740993]", "at most 53 bits");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'distance_from': 'y', 'unit': 'ell'", "[unit] must be");
    assertFeatureRefused("'type': 'field', 'field': 'x', 'unit': 'km'", "unknown field [unit]");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'normalize': 'log2'", "[normalize] must be");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'normalize': {'min_max': {'min': 1, 'max': 1}}",
        "[min] is 1.0, expected less");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'normalize': {'z_score': {'mean': 1, 'standard_deviation':"
            + " 0}}",
        "expected more than 0");
    assertFeatureRefused(
        "'type': 'field', 'field': 'x', 'normalize': {'clip': {'low': 1}}", "unknown field [low]");
    assertFeatureRefused(
        "'type': 'term_statistics', 'field': 'x', 'text': 'y', 'statistic': 'df'",
        "[aggregate] must be one of");
    assertFeatureRefused(
        "'type': 'term_statistics', 'field': 'x', 'text': 'y', 'statistic': 'bm25', 'aggregate':"
            + " 'sum'",
        "[statistic] must be one of df, ttf, idf, tf, position");
    assertFeatureRefused(
        "'type': 'term_statistics', 'field': 'x', 'text': '{{y', 'statistic': 'tf', 'aggregate':"
            + " 'sum'",
        "feature [a]: template, character");
    assertFeatureRefused("'type': 'script'", "[script] must be a string or an object");
    assertFeatureRefused("'type': 'script', 'script': {'params': {}}", "[script]");
    assertFeatureRefused(
        "'type': 'script', 'script': '" + "1+".repeat(4_096) + "1'",
        "[script]: [source] has 8193 characters, expected at most 8192");
    assertFeatureRefused(
        "'type': 'script', 'script': {'source': '" + "()[".repeat(65) + "'}",
        "[script]: [source] has brackets nested more than 64 deep");
    assertFeatureRefused(
        "'type': 'vector', 'field': 'x', 'param': 'y', 'similarity': 'near'",
        "[similarity] must be one of dot, cosine, l2");
    assertFeatureRefused("'type': 'expression', 'expression': '1 +'", "[expression]: ");
    assertFeatureRefused(
        "'type': 'expression', 'expression': 'other'", "there is no feature [other]");
    assertFeatureRefused(
        "'type': 'expression', 'expression': 'a'", "feature [a] reads [a]: a feature can't depend");
    assertFeatureRefused(
        "'type': 'expression', 'expression': 'doc.x'", "unknown variable [doc.x], expected");
    assertFeatureRefused("'type': 'expression', 'expression': 'x[0]'", "unknown variable [x[0]]");
    assertFeatureRefused(
        "'type': 'expression', 'expression': '" + "(".repeat(1500) + "'", "[expression]");
    assertFeatureRefused("'type': 'expression', 'expression': '" + "-".repeat(1999) + "1'", null);
    assertFeatureRefused(
        "'type': 'expression', 'expression': '" + "1+".repeat(1000) + "1'", "2001 characters");
    assertRefused("{\"features\": [], \"x\": 1}", "[movies]: unknown field [x]");
    assertRefused(
        "{\"name\": \"other\", \"features\": []}",
        "[name] in the body is [other], expected the name in the path");
    assertRefused("{}", "expected an array [features]");
    String first = "{\"name\": \"a\", \"type\": \"first_pass_score\"}";
    assertRefused("{\"features\": [" + first + "," + first + "]}", "feature [a] is defined twice");
  }

  /** A feature [a] with these fields; without a message it may be right or wrong, but no error. */
  private void assertFeatureRefused(String fields, @Nullable String message) {
    String json = "{'features': [{'name': 'a', " + fields + "}]}";
    if (message != null) {
      assertRefused(json.replace('\'', '"'), message);
      return;
    }
    try {
      parse(json.replace('\'', '"'));
    } catch (IOException | IllegalArgumentException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("feature [a]"));
    }
  }

  public void testCyclesAreNamed() {
    assertRefused(
        """
        {"features": [
          {"name": "x", "type": "first_pass_score"},
          {"name": "a", "type": "expression", "expression": "x + b"},
          {"name": "b", "type": "expression", "expression": "c * 2"},
          {"name": "c", "type": "expression", "expression": "b + x"}]}
        """,
        "feature [b] reads [c] reads [b]: a feature can't depend on itself");
  }

  /** Dependencies may be as deep as a set is long. */
  public void testLongChains() throws IOException {
    StringBuilder features =
        new StringBuilder("{\"name\": \"f0\", \"type\": \"first_pass_score\"}");
    for (int i = 1; i < 300; i++) {
      features.insert(
          0,
          "{\"name\": \"f%s\", \"type\": \"expression\", \"expression\": \"f%s + 1\"},"
              .formatted(i, i - 1));
    }
    assertEquals(300, parse("{\"features\": [" + features + "]}").features().size());
  }

  private void assertRefused(String json, String message) {
    IllegalArgumentException e = expectThrows(IllegalArgumentException.class, () -> parse(json));
    assertTrue(e.getMessage(), e.getMessage().contains(message));
  }

  public void testCopiesFeaturesOfOtherSets() throws IOException {
    FeatureSet base = parse(ALL_KINDS);
    FeatureSet set =
        complete(
            """
            {"include": [{"feature_set": "movies", "features": ["p*", "first", "*atio"]},
                         {"feature_set": "other"}],
             "features": [{"name": "own", "type": "expression", "expression": "ratio + price"}],
             "default_params": {"mobile": 1}}
            """,
            base,
            set("other", "price", 3));
    assertEquals("new", set.name());
    assertEquals(
        List.of("first", "popularity", "prices", "ratio", "price", "own"),
        set.features().stream().map(FeatureDefinition::name).toList());
    assertEquals(base.features().get(3), set.features().get(1));
    assertEquals(Map.of("mobile", 1, "list", List.of(1, "a"), "price", 3), set.defaultParams());
    FeatureSet all = complete("{\"include\": [{\"feature_set\": \"movies\"}]}", base);
    assertEquals(base.features(), all.features());
    assertEquals(base.defaultParams(), all.defaultParams());
  }

  public void testWrongIncludesNameTheirPlace() throws IOException {
    FeatureSet base = parse(ALL_KINDS);
    assertIncludeRefused("{\"feature_set\": \"movies\"}", "[include] must be a list", base);
    assertIncludeRefused("[3]", "[include] number 0: [include] must be an object", base);
    assertIncludeRefused("[{}]", "[include] number 0: [feature_set] must be a string", base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\", \"features\": []}]", "number 0: [features] must be", base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\", \"from\": 1}]", "unknown field [from]", base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\"}, {\"feature_set\": \"movies\", \"features\": [\"x*\"]}]",
        "[include] number 1: feature set [movies] has no feature [x*]",
        base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\", \"features\": [\"ratio\"]}]",
        "feature [ratio]: there is no feature [",
        base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\"}, {\"feature_set\": \"movies\", \"features\": [\"far\"]}]",
        "feature [far] is defined twice",
        base);
    assertIncludeRefused(
        "[{\"feature_set\": \"movies\"}, {\"feature_set\": \"other\"}]",
        "the different defaults [0] and [3] for param [mobile]",
        base,
        set("other", "mobile", 3));
    assertIncludeRefused(
        "[" + "1,".repeat(100) + "1]", "[include] must be a list of at most 100 objects", base);
    assertRefused("{\"include\": [{\"feature_set\": \"movies\"}]}", "[include] is only allowed in");
  }

  private static FeatureSet set(String name, String param, int value) {
    return new FeatureSet(
        name, List.of(new ParamFeature(param, Modifiers.NONE, param, null)), Map.of(param, value));
  }

  private FeatureSet complete(String json, FeatureSet... others) throws IOException {
    Map<String, FeatureSet> sets = new HashMap<>();
    for (FeatureSet other : others) {
      sets.put(other.name(), other);
    }
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      return FeatureSetDraft.read("new", Door.within(parser)).complete(sets);
    }
  }

  private void assertIncludeRefused(String include, String message, FeatureSet... others) {
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> complete("{\"include\": " + include + "}", others));
    assertTrue(e.getMessage(), e.getMessage().startsWith("feature set [new]: "));
    assertTrue(e.getMessage(), e.getMessage().contains(message));
  }

  public void testParamValues() {
    ParamFeature param = new ParamFeature("a", new Modifiers(List.of(), -1), "x", null);
    assertEquals(2.5f, param.value(Map.of("x", 2.5)), 0);
    assertEquals(1f, param.value(Map.of("x", true)), 0);
    Map<String, Object> withNull = new HashMap<>();
    withNull.put("x", null);
    assertEquals(-1f, param.value(withNull), 0);
    expectThrows(IllegalArgumentException.class, () -> param.value(Map.of()));
    expectThrows(IllegalArgumentException.class, () -> param.value(Map.of("x", "3")));
    assertEquals(7f, new ParamFeature("a", Modifiers.NONE, "x", 7f).value(Map.of()), 0);
  }

  public void testTheJsonOfASetIsBoundedWhileItIsWritten() {
    ParamFeature param = new ParamFeature("a", Modifiers.NONE, "x", 7f);
    FeatureSet set = new FeatureSet("s", List.of(param), Map.of("x", "y".repeat(25 << 20)));
    IllegalArgumentException e = expectThrows(IllegalArgumentException.class, set::json);
    assertEquals(
        "this JSON value takes more than 25165824 bytes as JSON or CBOR (binary JSON); make it"
            + " smaller",
        e.getMessage());
  }
}
