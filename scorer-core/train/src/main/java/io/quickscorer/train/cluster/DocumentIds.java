// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds documents of an index by their {@code _id} or by a field that contains ids. */
public final class DocumentIds {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int BATCH = 1_000;

  /** Maximum number of clauses in a search for ids; by default, nodes allow at least 1,000. */
  private static final int MAX_CLAUSES = 500;

  /** Maximum number of hits of a search for ids, equal to the default limit of an index. */
  private static final int MAX_HITS = 10_000;

  private static final Set<String> ID_TYPES =
      Set.of(
          "keyword", "long", "integer", "short", "unsigned_long", "wildcard", "constant_keyword");

  private final ClusterClient client;
  private final String path;

  public DocumentIds(ClusterClient client, String index) {
    this.client = client;
    this.path = "/" + ClusterClient.encoded(index);
  }

  /**
   * Returns a map from each found id to the {@code _id}s of the documents that have this id.
   *
   * @param field the field that contains the ids; null to search in {@code _id}
   */
  public Map<String, Set<String>> find(Collection<String> ids, @Nullable String field) {
    Map<String, Set<String>> found = new HashMap<>();
    List<String> all = ids.stream().filter(id -> !id.isEmpty()).toList();
    all.stream().gather(Gatherers.windowFixed(BATCH)).forEach(some -> find(some, field, found));
    if (field != null) {
      // A field with a normalizer returns normalized ids, which may differ from the ids in the
      // search.
      found.keySet().retainAll(Set.copyOf(all));
      List<String> others = all.stream().filter(id -> !found.containsKey(id)).toList();
      others.stream()
          .gather(Gatherers.windowFixed(MAX_CLAUSES))
          .forEach(some -> findByName(some, field, found));
    }
    return found;
  }

  /**
   * Searches for ids, and adds the {@code _id}s of the hits to {@code found}. Each id is a named
   * query, so that each hit shows which ids it contains.
   */
  private void findByName(List<String> ids, String field, Map<String, Set<String>> found) {
    ObjectNode body = JSON.createObjectNode().put("_source", false).put("size", MAX_HITS);
    ArrayNode each = body.putObject("query").putObject("bool").putArray("should");
    for (String id : ids) {
      each.addObject().putObject("term").putObject(field).put("value", id).put("_name", id);
    }
    for (JsonNode hit : search(body).at("/hits/hits")) {
      for (JsonNode id : hit.path("matched_queries")) {
        found.computeIfAbsent(id.asString(), i -> new HashSet<>()).add(hit.get("_id").asString());
      }
    }
  }

  private void find(List<String> ids, @Nullable String field, Map<String, Set<String>> found) {
    int size = field == null ? 2 * BATCH : MAX_HITS;
    ObjectNode body = JSON.createObjectNode().put("_source", false).put("size", size);
    body.set("query", has(ids, field));
    if (field != null) {
      body.putArray("docvalue_fields").add(field);
    }
    JsonNode hits = search(body).at("/hits/hits");
    if (hits.size() == size && ids.size() > 1) {
      // If several documents have one id, there may be more hits, so each half of the ids is
      // searched for separately.
      find(ids.subList(0, ids.size() / 2), field, found);
      find(ids.subList(ids.size() / 2, ids.size()), field, found);
      return;
    }
    for (JsonNode hit : hits) {
      String id = hit.get("_id").asString();
      if (field == null) {
        found.computeIfAbsent(id, i -> new HashSet<>()).add(id);
      } else {
        for (JsonNode value : hit.path("fields").path(field)) {
          found.computeIfAbsent(value.asString(), v -> new HashSet<>()).add(id);
        }
      }
    }
  }

  /** Returns the {@code _id}s of up to {@code count} documents of the index. */
  public List<String> some(int count) {
    List<String> ids = new ArrayList<>();
    search(JSON.createObjectNode().put("size", count).put("_source", false))
        .at("/hits/hits")
        .forEach(hit -> ids.add(hit.get("_id").asString()));
    return ids;
  }

  /**
   * Returns, for each field that may contain ids, how many documents have one of {@code ids} in
   * this field. Returns an empty map if the user may not read the mapping.
   */
  public Map<String, Long> byField(Collection<String> ids) {
    Set<String> fields = new HashSet<>();
    ClusterClient.Answer mapping = client.send("GET", path + "/_mapping", "");
    for (JsonNode index : mapping.isError() ? JSON.createObjectNode() : mapping.body()) {
      addFields("", index.at("/mappings/properties"), fields);
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    for (String field : fields) {
      ObjectNode body = JSON.createObjectNode();
      body.set("query", has(ids, field));
      ClusterClient.Answer answer = client.send("POST", path + "/_count", body.toString());
      // Numeric fields reject ids that are not numbers.
      counts.put(field, answer.isError() ? 0 : answer.body().path("count").asLong(0));
    }
    return counts;
  }

  private static void addFields(String prefix, JsonNode properties, Set<String> fields) {
    properties
        .properties()
        .forEach(
            property -> {
              String name = prefix + property.getKey();
              if (ID_TYPES.contains(property.getValue().path("type").asString(""))) {
                fields.add(name);
              }
              addFields(name + ".", property.getValue().path("properties"), fields);
              addFields(name + ".", property.getValue().path("fields"), fields);
            });
  }

  private static ObjectNode has(Collection<String> ids, @Nullable String field) {
    ObjectNode query = JSON.createObjectNode();
    ArrayNode values =
        field == null
            ? query.putObject("ids").putArray("values")
            : query.putObject("terms").putArray(field);
    ids.forEach(values::add);
    return query;
  }

  private JsonNode search(ObjectNode body) {
    return client.post(path + "/_search", body.toString());
  }
}
