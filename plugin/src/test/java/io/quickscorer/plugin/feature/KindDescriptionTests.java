// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.OpenApiDescription;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.test.OpenSearchTestCase;

/** The fields of each kind of feature in the OpenAPI description, held against what reads them. */
public class KindDescriptionTests extends OpenSearchTestCase {
  /** Features that have every field of their kind between them. */
  private static final List<Map<String, Object>> FEATURES =
      List.of(
          Map.of("type", "query", "query", "{\"match_all\": {}}", "template_language", "mustache"),
          Map.of("type", "field", "field", "f", "mode", "max", "missing", 1.5),
          Map.of("type", "field", "field", "f", "categories", List.of("a", "b")),
          Map.of("type", "field", "field", "f", "categories", List.of(10, 20)),
          Map.of("type", "field", "field", "f", "categories", "model"),
          Map.of("type", "field", "field", "f", "hash", 100, "normalize", "log1p"),
          Map.of("type", "field", "field", "f", "distance_from", "p", "unit", "km", "mode", "avg"),
          Map.of("type", "param", "param", "p", "default", 2),
          Map.of("type", "first_pass_score"),
          Map.of(
              "type",
              "term_statistics",
              "field",
              "f",
              "text",
              "{{t}}",
              "statistic",
              "idf",
              "aggregate",
              "sum"),
          Map.of("type", "expression", "expression", "ln(a) + b"),
          Map.of("type", "script", "script", Map.of("source", "_score * 2")),
          Map.of("type", "vector", "field", "f", "param", "p", "similarity", "cosine"));

  private static FeatureDefinition read(Map<String, Object> feature) throws IOException {
    Options options = Options.of("feature", feature);
    FeatureDefinition definition = FeatureKinds.parse("name", options);
    options.checkAllRead();
    return definition;
  }

  /** The description of a kind, by what stands under {@code type}. */
  private static Map<?, ?> kind(Object type) throws IOException {
    Map<?, ?> discriminator =
        OpenApiDescription.child(OpenApiDescription.schema("Feature"), "discriminator");
    Object place = OpenApiDescription.child(discriminator, "mapping").get(type);
    return OpenApiDescription.schema(((String) place).replaceFirst(".*/", ""));
  }

  private static Map<?, ?> fields(Object type) throws IOException {
    return OpenApiDescription.child(kind(type), "properties");
  }

  private static Map<String, Object> with(Map<String, Object> feature, String field, Object value) {
    Map<String, Object> other = new HashMap<>(feature);
    other.put(field, value);
    return other;
  }

  public void testEveryKindIsDescribedAndNoOther() throws Exception {
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> read(Map.of("type", "none")));
    Set<String> kinds = Set.of(e.getMessage().replaceFirst(".*must be one of ", "").split(", "));
    Map<?, ?> feature = OpenApiDescription.schema("Feature");
    Map<?, ?> mapping =
        OpenApiDescription.child(OpenApiDescription.child(feature, "discriminator"), "mapping");
    assertEquals(kinds, mapping.keySet());
    assertEquals(
        new HashSet<>(mapping.values()),
        ((List<?>) feature.get("oneOf"))
            .stream().map(kind -> ((Map<?, ?>) kind).get("$ref")).collect(Collectors.toSet()));
    assertEquals(
        kinds, FEATURES.stream().map(each -> each.get("type")).collect(Collectors.toSet()));
    for (String kind : kinds) {
      assertEquals(List.of(kind), OpenApiDescription.child(fields(kind), "type").get("enum"));
    }
  }

  /** Every field that is described is one that is read, and what is stored has no other. */
  public void testEveryFieldIsDescribedAndNoOther() throws Exception {
    Map<Object, Set<String>> read = new HashMap<>();
    for (Map<String, Object> feature : FEATURES) {
      FeatureDefinition definition = read(feature);
      Set<String> fields = read.computeIfAbsent(feature.get("type"), type -> new TreeSet<>());
      fields.addAll(feature.keySet());
      BytesReference json =
          org.opensearch.core.xcontent.XContentHelper.toXContent(
              definition, MediaTypeRegistry.JSON, false);
      fields.addAll(XContentHelper.convertToMap(json, false, XContentType.JSON).v2().keySet());
    }
    for (Map.Entry<Object, Set<String>> kind : read.entrySet()) {
      Set<String> all = kind.getValue();
      all.addAll(Set.of("name", "missing", "normalize"));
      if (kind.getKey().equals("query")) {
        all.add("params"); // The reader of feature sets takes it.
      }
      assertEquals(String.valueOf(kind.getKey()), all, fields(kind.getKey()).keySet());
    }
    for (Map<String, Object> feature : FEATURES) {
      expectThrows(
          IllegalArgumentException.class, () -> read(with(feature, "nothing_of_the_kind", 1)));
    }
  }

  public void testWhatIsRequiredIs() throws Exception {
    for (Map<String, Object> feature : FEATURES) {
      Object type = feature.get("type");
      List<?> required = (List<?>) kind(type).get("required");
      assertTrue(required.contains("name"));
      for (String field : feature.keySet()) {
        Map<String, Object> without = new HashMap<>(feature);
        without.remove(field);
        if (field.equals("type") && type.equals("query")) {
          read(without); // A discriminator has to be required, but the server assumes this one.
        } else if (required.contains(field)) {
          expectThrows(IllegalArgumentException.class, () -> read(without));
        } else if (!field.equals("distance_from")) { // without which it may have no unit
          read(without);
        }
      }
    }
  }

  public void testChoicesAndDefaultsAreThoseThatAreRead() throws Exception {
    int choices = 0;
    int defaults = 0;
    for (Map<String, Object> feature : FEATURES) {
      Map<?, ?> described = fields(feature.get("type"));
      for (String field : feature.keySet()) {
        Map<?, ?> description = OpenApiDescription.child(described, field);
        if (description.get("enum") instanceof List<?> values && !field.equals("type")) {
          choices++;
          // A count is never missing.
          Map<String, Object> plain = new HashMap<>(feature);
          plain.remove("missing");
          for (Object value : values) {
            read(with(plain, field, value));
          }
          IllegalArgumentException e =
              expectThrows(
                  IllegalArgumentException.class, () -> read(with(plain, field, "nothing")));
          if (values.size() > 1) {
            String said = e.getMessage().replaceFirst(".*must be one of ", "");
            assertEquals(List.of(said.split(", ")), values);
          }
        }
        Object absent = description.get("default");
        if (absent != null) {
          defaults++;
          Map<String, Object> without = new HashMap<>(feature);
          without.remove(field);
          assertEquals(field, read(without), read(with(feature, field, absent)));
        }
      }
    }
    assertTrue(choices + " choices, " + defaults + " defaults", choices > 4 && defaults > 3);
  }

  public void testScalesOfTheWindowAreDescribed() throws Exception {
    Map<?, ?> normalizer = OpenApiDescription.schema("Normalizer");
    Map<?, ?> object = (Map<?, ?>) ((List<?>) normalizer.get("oneOf")).getLast();
    Map<?, ?> fields = OpenApiDescription.child(object, "properties");
    assertEquals(
        Arrays.stream(WindowScale.values()).map(EnumNames::of).toList(),
        OpenApiDescription.child(fields, "window").get("enum"));
  }
}
