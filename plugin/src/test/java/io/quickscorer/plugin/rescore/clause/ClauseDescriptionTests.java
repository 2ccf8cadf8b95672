// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.OpenApiDescription;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.testing.FreeBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

/** The clause in the OpenAPI description, held against what reads it. */
public class ClauseDescriptionTests extends OpenSearchTestCase {
  private static final Map<Shape.Kind, Set<String>> TYPES =
      Map.of(
          Shape.Kind.TEXT, Set.of("string"),
          Shape.Kind.NUMBER, Set.of("number"),
          Shape.Kind.WHOLE, Set.of("integer"),
          Shape.Kind.BOOLEAN, Set.of("boolean"),
          Shape.Kind.LIST, Set.of("array"),
          Shape.Kind.OBJECT, Set.of("object"));

  private static Set<String> names(Shape<?> shape) {
    return shape.fields().stream().map(Shape.Field::name).collect(Collectors.toSet());
  }

  private static Map<?, ?> fields() throws Exception {
    return OpenApiDescription.child(OpenApiDescription.schema("Clause"), "properties");
  }

  private static ClauseOptions read(Map<String, Object> clause) throws Exception {
    try (XContentBuilder json = XContentFactory.jsonBuilder().map(clause);
        XContentParser parser =
            JsonXContent.jsonXContent.createParser(null, null, json.toString())) {
      parser.nextToken();
      return ClauseOptions.parse(parser, FreeBudget.create().memory());
    }
  }

  public void testEveryFieldIsDescribedWithItsTypeAndNoOther() throws Exception {
    Map<?, ?> described = fields();
    assertEquals(names(ClauseParser.SHAPE), described.keySet());
    for (Shape.Field<?> field : ClauseParser.SHAPE.fields()) {
      Object type = OpenApiDescription.child(described, field.name()).get("type");
      assertTrue(field.name() + " " + type, TYPES.get(field.kind()).contains(type));
    }
  }

  public void testEveryFieldOfAStageIsDescribedAsInTheClause() throws Exception {
    Map<?, ?> described =
        OpenApiDescription.child(OpenApiDescription.schema("Stage"), "properties");
    assertEquals(names(StagesParser.SHAPE), described.keySet());
    for (String field : names(ClauseParser.ScoringFields.SHAPE)) {
      assertEquals(fields().get(field), described.get(field));
    }
  }

  public void testTheChoicesAreThoseThatAreRead() throws Exception {
    Map<?, ?> described = fields();
    Map<String, Enum<?>[]> choices =
        Map.of(
            "score_mode", ScoreCombination.Mode.values(),
            "outside_window", OutsideWindow.values(),
            "scope", Scope.values());
    for (Map.Entry<String, Enum<?>[]> choice : choices.entrySet()) {
      assertEquals(
          Arrays.stream(choice.getValue()).map(EnumNames::of).toList(),
          OpenApiDescription.child(described, choice.getKey()).get("enum"));
    }
    for (Object field : described.keySet()) {
      if (OpenApiDescription.child(described, (String) field).get("enum")
          instanceof List<?> values) {
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
}
