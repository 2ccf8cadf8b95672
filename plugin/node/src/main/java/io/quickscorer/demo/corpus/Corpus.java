// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * Documents to search, and queries with judgments. Immutable except for the JSON trees, which must
 * not be changed.
 *
 * @param name also the name of the index
 * @param index the body that creates the index: mappings, and settings if any
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
   * The fields that features are made of.
   *
   * @param title the short text that names a document
   * @param body the long text
   * @param otherText further text fields
   * @param numbers numeric fields with doc values
   */
  public record Fields(String title, String body, List<String> otherText, List<String> numbers) {
    public Fields {
      otherText = List.copyOf(otherText);
      numbers = List.copyOf(numbers);
    }

    /** All text fields, the title first. */
    public List<String> text() {
      return Stream.concat(Stream.of(title, body), otherText.stream()).toList();
    }
  }

  /** One document: its id and the source as it is indexed. */
  public record Document(String id, ObjectNode source) {}
}
