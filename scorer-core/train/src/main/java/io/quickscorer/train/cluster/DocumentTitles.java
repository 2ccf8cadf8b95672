// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.cluster;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the titles of documents from an index, to show them to users. */
public final class DocumentTitles {
  private static final JsonMapper JSON = new JsonMapper();

  private DocumentTitles() {}

  /**
   * Returns the titles of documents, by {@code _id}; documents without a title are left out.
   *
   * @param fields fields of the source; a document's title is the first of these fields that the
   *     document contains
   * @param ids the {@code _id}s of the documents; some dozens at most
   */
  public static Map<String, String> of(
      ClusterClient client, String index, List<String> fields, Collection<String> ids) {
    ObjectNode body = JSON.createObjectNode().put("size", ids.size());
    fields.forEach(body.putArray("_source")::add);
    ArrayNode wanted = body.putObject("query").putObject("ids").putArray("values");
    ids.forEach(wanted::add);
    Map<String, String> titles = new HashMap<>();
    client
        .post("/" + ClusterClient.encoded(index) + "/_search", body.toString())
        .at("/hits/hits")
        .forEach(
            hit -> {
              JsonNode source = hit.path("_source");
              fields.stream()
                  .map(field -> source.at("/" + field.replace('.', '/')).asString(""))
                  .filter(title -> !title.isBlank())
                  .findFirst()
                  .ifPresent(title -> titles.put(hit.get("_id").asString(), title));
            });
    return titles;
  }
}
