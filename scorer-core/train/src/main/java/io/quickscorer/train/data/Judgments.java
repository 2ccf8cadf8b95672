// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judged queries, with counts of repeated and conflicting judgments.
 *
 * @param queries the queries
 * @param repeated number of judgments that repeat an earlier judgment with the same grade
 * @param conflicts number of judgments that give a document another grade than an earlier judgment
 * @param grades a sentence, for users, on how ratings were converted to grades
 * @param loss a sentence on what the conversion loses; null if it loses nothing
 */
public record Judgments(
    List<JudgedQuery> queries, int repeated, int conflicts, String grades, @Nullable String loss) {
  /** The rule for a document with several grades for one query. */
  public enum Conflict {
    /** The last grade in the file counts. */
    LAST,
    /** The mean of all grades counts. */
    MEAN,
    /** The file is refused if a document has several different grades for one query. */
    ERROR
  }

  public Judgments {
    queries = List.copyOf(queries);
  }

  /** Returns a copy with other queries. Everything else stays unchanged. */
  public Judgments with(List<JudgedQuery> others) {
    return new Judgments(others, repeated, conflicts, grades, loss);
  }

  /** Returns the number of judgments of all queries. */
  public long count() {
    return queries.stream().mapToLong(query -> query.judgments().size()).sum();
  }

  /** Returns the ids of all judged documents, each once. */
  public List<String> documents() {
    return queries.stream().flatMap(Judgments::documents).distinct().toList();
  }

  private static Stream<String> documents(JudgedQuery query) {
    return query.judgments().keySet().stream();
  }
}
