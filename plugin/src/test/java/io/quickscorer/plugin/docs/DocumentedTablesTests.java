// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import io.quickscorer.plugin.OpenApiDescription;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The REST reference, held against the OpenAPI description, which other tests hold against the
 * code: its endpoints, and the tables of their parameters and of the fields of their bodies.
 */
public class DocumentedTablesTests extends OpenSearchTestCase {
  private static final Pattern OPERATION =
      Pattern.compile("`(GET|HEAD|PUT|POST|DELETE) (/_plugins/[^`]*)`");
  private static final String PARAMETERS = "URL parameter";
  private static final List<String> PARTS =
      List.of("**Response**", "**Errors**", "**Permission**", "```http");

  private static final Set<String> METHODS = Set.of("get", "head", "put", "post", "delete");

  /**
   * A table, and the schema that it describes.
   *
   * @param header of the first column
   * @param schema its name, perhaps followed by a property whose items are described
   */
  private record Table(String page, String heading, String header, String schema) {}

  private static Table table(String place, String header, String schema) {
    String[] parts = place.split(" ", 2);
    return new Table(parts[0], parts[1], header, schema);
  }

  private static final List<Table> TABLES =
      List.of(
          table("feature-sets.md Store a feature set", "body field", "FeatureSet"),
          table("feature-sets.md Try a feature set", "body field", "ValidateRequest"),
          table("training-files.md Write a training file", "body field", "LogRequest"),
          table("models.md In an envelope", "body field", "ModelEnvelope"),
          table("aliases.md Create or move an alias", "body field", "AliasTarget"),
          table("clause.md Fields", "field of the clause", "Clause"),
          table("clause.md Stages", "field of a stage", "Stage"),
          table("pipelines.md Fields", "field", "ProcessorFields"),
          table("aliases.md Create or move an alias", "field", "AliasPut"),
          table("models.md Importance", "field", "Importance/features"),
          table("models.md Drift", "field", "Drift/features"),
          table("monitoring.md Readiness", "field of a node", "NodeReadiness"),
          table("monitoring.md Statistics", "field of a node", "NodeStats"),
          table("monitoring.md Statistics", "field of a model", "ModelStats"));

  private static List<MarkdownPage> pages() throws Exception {
    return MarkdownPage.all().stream()
        .filter(page -> page.name().matches("plugin/docs/(rest-api|rest/[a-z-]+)\\.md"))
        .toList();
  }

  private static String fileName(MarkdownPage page) {
    return page.name().substring(page.name().lastIndexOf('/') + 1);
  }

  /** The defaults by name, as a table shows them; without one, an empty text. */
  private static Map<String, String> rows(List<List<String>> table) {
    Map<String, String> rows = new TreeMap<>();
    for (List<String> row : table) {
      for (String name : row.getFirst().split(", ")) {
        // A name with a point is a part of a field of its own row.
        if (name.startsWith("`") && !name.matches("`(?!queries).*\\..*")) {
          String last = name.replace("`", "").replaceFirst("^queries\\[]\\.", "queries/");
          assertNull(name, rows.put(last, row.get(1).replace("`", "")));
        }
      }
    }
    return rows;
  }

  private static void assertRows(String place, Map<?, ?> properties, List<List<String>> table) {
    Map<String, String> rows = rows(table);
    assertEquals(place, new TreeSet<>(properties.keySet()), rows.keySet());
    properties.forEach(
        (name, property) -> {
          Object usual = ((Map<?, ?>) property).get("default");
          String shown = rows.get(name);
          if (usual != null && !shown.isEmpty() && !shown.startsWith("see")) {
            assertEquals(place + " " + name, usual.toString(), shown);
          }
        });
  }

  private static Map<String, Object> queryParameters(Map<?, ?> path, Map<?, ?> operation)
      throws Exception {
    Map<String, Object> parameters = new HashMap<>();
    for (Map<?, ?> owner : List.of(path, operation)) {
      if (owner.get("parameters") instanceof List<?> list) {
        for (Object item : list) {
          Map<?, ?> parameter = (Map<?, ?>) item;
          if (parameter.get("$ref") instanceof String reference) {
            Map<?, ?> components =
                OpenApiDescription.child(OpenApiDescription.read(), "components");
            parameter =
                OpenApiDescription.child(
                    OpenApiDescription.child(components, "parameters"),
                    reference.substring(reference.lastIndexOf('/') + 1));
          }
          if ("query".equals(parameter.get("in"))) {
            parameters.put((String) parameter.get("name"), parameter.get("schema"));
          }
        }
      }
    }
    return parameters;
  }

  public void testEveryEndpointHasASectionWithItsParameters() throws Exception {
    Map<String, Map<String, Object>> described = new TreeMap<>();
    for (Map.Entry<?, ?> path :
        OpenApiDescription.child(OpenApiDescription.read(), "paths").entrySet()) {
      Map<?, ?> item = (Map<?, ?>) path.getValue();
      for (Map.Entry<?, ?> operation : item.entrySet()) {
        if (METHODS.contains(operation.getKey())) {
          described.put(
              operation.getKey().toString().toUpperCase(Locale.ROOT) + " " + path.getKey(),
              queryParameters(item, (Map<?, ?>) operation.getValue()));
        }
      }
    }
    Set<String> documented = new TreeSet<>();
    for (MarkdownPage page : pages()) {
      List<MarkdownPage.Section> above = new ArrayList<>();
      for (MarkdownPage.Section section : page.sections()) {
        above.removeIf(other -> other.level() >= section.level());
        above.add(section);
        for (String line : section.lines()) {
          Matcher operation = OPERATION.matcher(line);
          if (operation.matches()) {
            String name = operation.group(1) + " " + operation.group(2);
            documented.add(name);
            String place = page.name() + ", " + section.heading() + ": " + name;
            for (String part : PARTS) {
              assertTrue(
                  place + " has no " + part,
                  section.lines().stream().anyMatch(other -> other.startsWith(part)));
            }
            assertNotNull(place, described.get(name));
            assertRows(place, described.get(name), parameters(above));
          }
        }
      }
    }
    assertEquals(described.keySet(), documented);
  }

  /** The table of the last of these sections, or of the nearest above it that has one. */
  private static List<List<String>> parameters(List<MarkdownPage.Section> sections) {
    return sections.reversed().stream()
        .map(section -> section.table(PARAMETERS))
        .filter(table -> !table.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  public void testTheFieldsOfBodiesAndResponsesAreTheDescribedOnes() throws Exception {
    Set<Table> found = new HashSet<>();
    for (MarkdownPage page : pages()) {
      for (MarkdownPage.Section section : page.sections()) {
        for (Table table : TABLES) {
          if (table.page().equals(fileName(page)) && table.heading().equals(section.heading())) {
            found.add(table);
            assertRows(table.toString(), properties(table.schema()), section.table(table.header()));
          }
        }
      }
    }
    assertEquals(Set.copyOf(TABLES), found);
  }

  private static Map<String, Object> properties(String schema) throws Exception {
    String[] parts = schema.split("/");
    Map<?, ?> described =
        OpenApiDescription.child(OpenApiDescription.schema(parts[0]), "properties");
    if (parts.length > 1) {
      Map<?, ?> list = OpenApiDescription.child(described, parts[1]);
      described = OpenApiDescription.child(OpenApiDescription.child(list, "items"), "properties");
    }
    Map<String, Object> properties = new TreeMap<>();
    described.forEach((name, property) -> properties.put((String) name, property));
    if (properties.get("queries") instanceof Map<?, ?> queries) {
      Map<?, ?> query =
          OpenApiDescription.child(OpenApiDescription.child(queries, "items"), "properties");
      // The table has these two once, for the request and for a query.
      Set<String> shared = Set.of("query", "size");
      query.forEach(
          (name, property) -> {
            if (!shared.contains(name) && !name.equals("params")) {
              properties.put("queries/" + name, property);
            }
          });
    }
    return properties;
  }

  public void testAWrongTableIsRefused() {
    Map<String, Object> properties = Map.of("a", Map.of("default", 1), "b", Map.of());
    List<String> a = List.of("`a`", "1", "x");
    List<String> b = List.of("`b`", "", "x");
    assertRows("right", properties, List.of(a, b));
    expectThrows(AssertionError.class, () -> assertRows("lacks b", properties, List.of(a)));
    expectThrows(
        AssertionError.class,
        () -> assertRows("default", properties, List.of(List.of("`a`", "2", "x"), b)));
  }
}
