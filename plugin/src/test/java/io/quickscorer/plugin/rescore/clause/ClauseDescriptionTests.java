// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.Options;
import io.quickscorer.plugin.feature.WindowScale;
import io.quickscorer.plugin.feature.kind.FeatureKinds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

/** The clause in the OpenAPI description, held against what reads it. */
public class ClauseDescriptionTests extends OpenSearchTestCase {
  private static final Map<XContentParser.Token, Set<String>> TYPES =
      Map.of(
          XContentParser.Token.VALUE_STRING, Set.of("string"),
          XContentParser.Token.VALUE_NUMBER, Set.of("number", "integer"),
          XContentParser.Token.VALUE_BOOLEAN, Set.of("boolean"),
          XContentParser.Token.START_ARRAY, Set.of("array"),
          XContentParser.Token.START_OBJECT, Set.of("object"));

  private static Map<?, ?> schema(String name) throws Exception {
    String text = Files.readString(Path.of("docs", "openapi.yaml"));
    Map<?, ?> all = XContentHelper.convertToMap(XContentType.YAML.xContent(), text, true);
    return child(child(child(all, "components"), "schemas"), name);
  }

  private static Map<?, ?> child(Map<?, ?> map, String key) {
    assertTrue(key, map.get(key) instanceof Map<?, ?>);
    return (Map<?, ?>) map.get(key);
  }

  private static Map<?, ?> fields() throws Exception {
    return child(schema("Clause"), "properties");
  }

  private static ClauseOptions read(Map<String, Object> clause) throws Exception {
    try (XContentBuilder json = XContentFactory.jsonBuilder().map(clause);
        XContentParser parser =
            JsonXContent.jsonXContent.createParser(null, null, json.toString())) {
      parser.nextToken();
      return ClauseOptions.parse(parser);
    }
  }

  public void testEveryFieldIsDescribedWithItsTypeAndNoOther() throws Exception {
    Map<?, ?> described = fields();
    assertEquals(ClauseParser.FIELDS.keySet(), described.keySet());
    ClauseParser.FIELDS.forEach(
        (field, token) ->
            assertTrue(field, TYPES.get(token).contains(child(described, field).get("type"))));
  }

  public void testTheChoicesAreThoseThatAreRead() throws Exception {
    Map<?, ?> described = fields();
    Map<String, Object[]> choices =
        Map.of(
            "score_mode", ScoreCombination.Mode.values(),
            "outside_window", OutsideWindow.values(),
            "scope", Scope.values());
    for (Map.Entry<String, Object[]> choice : choices.entrySet()) {
      assertEquals(
          Arrays.stream(choice.getValue()).map(Object::toString).toList(),
          child(described, choice.getKey()).get("enum"));
    }
    for (Object field : described.keySet()) {
      if (child(described, (String) field).get("enum") instanceof List<?> values) {
        for (Object value : values) {
          read(Map.of("model", "m", "budget_ms", 1, (String) field, value));
        }
        Map<String, Object> wrong = Map.of("model", "m", "budget_ms", 1, (String) field, "nothing");
        expectThrows(ParsingException.class, () -> read(wrong));
      }
    }
  }

  /** A clause without any of the fields that have a default is the one that spells them out. */
  public void testTheDefaultsAreThoseThatAreUsed() throws Exception {
    Map<String, Object> spelt = new HashMap<>(Map.of("model", "m"));
    List<String> withDefault = new ArrayList<>();
    fields()
        .forEach(
            (field, description) -> {
              Object value = ((Map<?, ?>) description).get("default");
              if (value != null && !field.equals("on_budget")) {
                spelt.put((String) field, value);
                withDefault.add((String) field);
              }
            });
    assertTrue(withDefault.toString(), withDefault.size() > 5);
    assertEquals(read(Map.of("model", "m")), read(spelt));
    assertEquals(
        read(Map.of("model", "m", "budget_ms", 1)),
        read(Map.of("model", "m", "budget_ms", 1, "on_budget", "first_pass")));
  }

  public void testKindsOfFeaturesAndScalesAreDescribed() throws Exception {
    Map<?, ?> feature = child(schema("Feature"), "properties");
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> FeatureKinds.parse("x", Options.of("x", Map.of("type", "none"))));
    String kinds = e.getMessage().replaceFirst(".*must be one of ", "");
    assertEquals(
        Set.of(kinds.split(", ")), new HashSet<>((List<?>) child(feature, "type").get("enum")));
    Map<?, ?> object = (Map<?, ?>) ((List<?>) schema("Normalizer").get("oneOf")).getLast();
    assertEquals(
        Arrays.stream(WindowScale.values())
            .map(scale -> scale.name().toLowerCase(Locale.ROOT))
            .toList(),
        child(child(object, "properties"), "window").get("enum"));
  }
}
