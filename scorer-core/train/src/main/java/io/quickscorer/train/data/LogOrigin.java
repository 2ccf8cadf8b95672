// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The data and options that determine the rows of a feature log, as a JSON object: each option by
 * its name, counts and a checksum of the judgments ({@code judgments}), and the definitions of the
 * {@code features}.
 */
public final class LogOrigin {
  /** The name of the field with the definitions of the features, in their order. */
  public static final String FEATURES = "features";

  /** The name of the field that describes the judged queries. */
  public static final String JUDGMENTS = "judgments";

  /** Maximum length of a value that a message shows, in characters. */
  private static final int MAX_LENGTH = 80;

  private static final JsonMapper JSON = new JsonMapper();

  private LogOrigin() {}

  /** Returns counts and a checksum of judged queries. */
  public static ObjectNode of(List<JudgedQuery> queries) {
    CRC32 sum = new CRC32();
    long documents = 0;
    for (JudgedQuery query : queries) {
      documents += query.labels().size();
      String text = query.id() + '\n' + query.text() + '\n' + new TreeMap<>(query.labels()) + '\n';
      if (!query.params().isEmpty()) {
        text += new TreeMap<>(query.params()).toString() + '\n';
      }
      sum.update(text.getBytes(StandardCharsets.UTF_8));
    }
    return JSON.createObjectNode()
        .put("queries", queries.size())
        .put("documents", documents)
        .put("crc32", Long.toHexString(sum.getValue()));
  }

  /**
   * Returns the differences between two origins (options and data of logged rows), in one sentence
   * each.
   *
   * @param former the origin of the rows in the file
   * @param now the origin of the rows to be logged
   */
  public static List<String> differences(JsonNode former, JsonNode now) {
    if (!former.isObject()) {
      return List.of("the file does not contain the options and features with which it was logged");
    }
    Set<String> parts = new LinkedHashSet<>(now.propertyNames());
    parts.addAll(former.propertyNames());
    List<String> differences = new ArrayList<>();
    for (String part : parts) {
      JsonNode before = former.path(part);
      JsonNode after = now.path(part);
      if (before.equals(after)) {
        continue;
      }
      if (part.equals(FEATURES)) {
        differences.addAll(features(before, after));
      } else {
        differences.add(change("--" + part.replace('_', '-'), before, after));
      }
    }
    return differences;
  }

  /** Returns the differences between two lists of feature definitions, in one sentence each. */
  public static List<String> features(JsonNode former, JsonNode now) {
    Map<String, JsonNode> before = byName(former);
    Map<String, JsonNode> after = byName(now);
    Set<String> names = new LinkedHashSet<>(after.keySet());
    names.addAll(before.keySet());
    JsonNode none = JSON.missingNode();
    List<String> differences =
        names.stream()
            .filter(name -> !before.getOrDefault(name, none).equals(after.getOrDefault(name, none)))
            .map(
                name ->
                    change(
                        "feature " + name,
                        before.getOrDefault(name, none),
                        after.getOrDefault(name, none)))
            .collect(Collectors.toCollection(ArrayList::new));
    if (differences.isEmpty() && !former.equals(now)) {
      differences.add("the order of the features");
    }
    return differences;
  }

  private static Map<String, JsonNode> byName(JsonNode features) {
    Map<String, JsonNode> byName = new LinkedHashMap<>();
    features.forEach(feature -> byName.put(feature.path("name").asString(""), feature));
    return byName;
  }

  private static String change(String what, JsonNode before, JsonNode after) {
    return what + " was " + shown(before) + ", is " + shown(after);
  }

  private static String shown(JsonNode value) {
    if (value.isMissingNode()) {
      return "absent";
    }
    String text = value.toString();
    return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
  }
}
