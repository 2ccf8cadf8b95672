// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judged queries, and what became of the lines that they were read from.
 *
 * @param queries in the order of their first judgments
 * @param repeated judgments of a query and document that had one of the same grade
 * @param conflicts judgments of a query and document that had one of another grade
 * @param grades what became of the grades, in words
 * @param loss of the distances between grades that no trainer takes, in words; null if all are
 *     whole numbers from 0 to 30
 */
public record Judgments(
    List<JudgedQuery> queries, int repeated, int conflicts, String grades, @Nullable String loss) {
  /** Which of several grades of one document for one query counts. */
  public enum Conflict {
    LAST,
    MEAN,
    ERROR
  }

  public Judgments {
    queries = List.copyOf(queries);
  }

  /** Returns these judgments with other queries. */
  public Judgments with(List<JudgedQuery> others) {
    return new Judgments(others, repeated, conflicts, grades, loss);
  }

  /** How many judgments there are. */
  public long count() {
    return queries.stream().mapToLong(query -> query.judgments().size()).sum();
  }

  /** Ids of all judged documents, each once. */
  public List<String> documents() {
    return queries.stream().flatMap(Judgments::documents).distinct().toList();
  }

  private static Stream<String> documents(JudgedQuery query) {
    return query.judgments().keySet().stream();
  }
}
