// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The documents to search, and the queries with their judgments (grades of relevance). The JSON
 * trees must not be changed; everything else is immutable.
 *
 * @param name the name of the corpus and of its index
 * @param index the body of the request that creates the index
 */
public record Corpus(
    String name,
    ObjectNode index,
    Fields fields,
    List<Document> documents,
    List<JudgedQuery> queries) {
  public Corpus {
    documents = List.copyOf(documents);
    queries = List.copyOf(queries);
  }

  /**
   * The names of the document fields that features use.
   *
   * @param title the field with the title
   * @param body the field with a long text
   * @param otherText other text fields
   * @param numbers numeric fields with doc values (values that Lucene stores by document)
   */
  public record Fields(String title, String body, List<String> otherText, List<String> numbers) {
    public Fields {
      otherText = List.copyOf(otherText);
      numbers = List.copyOf(numbers);
    }

    /** Returns the names of all text fields; the title's field comes first. */
    public List<String> text() {
      return Stream.concat(Stream.of(title, body), otherText.stream()).toList();
    }
  }

  public record Document(String id, ObjectNode source) {}

  /**
   * Indexes documents by one bulk request.
   *
   * @throws IllegalStateException if the node refuses a document
   */
  public static void index(ClusterClient client, String index, List<Document> documents) {
    StringBuilder lines = new StringBuilder();
    for (Document document : documents) {
      ObjectNode action = CorpusFolder.JSON.createObjectNode();
      action.putObject("index").put("_id", document.id());
      lines.append(action).append('\n').append(document.source()).append('\n');
    }
    JsonNode answer = client.post("/" + index + "/_bulk", lines.toString());
    if (answer.get("errors").asBoolean()) {
      throw new IllegalStateException(
          "index ["
              + index
              + "]: the node did not index all documents of the bulk request: "
              + answer.findValue("error"));
    }
  }
}
