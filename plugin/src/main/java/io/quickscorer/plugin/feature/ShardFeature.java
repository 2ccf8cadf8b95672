// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Fills the column of one feature with values on one shard. Used by one thread, for one or more
 * windows.
 */
@FunctionalInterface
public interface ShardFeature {
  /**
   * Fills the column for all documents of the window. Called once per window, not per document.
   *
   * @param target initially contains the scores of the query that {@link #scored} returns;
   *     undefined values if there is none
   */
  void fill(Extraction extraction, Column target) throws IOException;

  /**
   * Returns a query whose scores must be in the column before {@link #fill} is called, or null. The
   * queries of all features are scored together.
   */
  default @Nullable Query scored() {
    return null;
  }

  /** A feature that is computed from named values, such as other features. */
  interface Computed extends ShardFeature {
    /**
     * Returns the values that the feature reads, with their names, for the window's first document,
     * for explanations.
     */
    List<Input> inputs(Extraction extraction) throws IOException;
  }

  /**
   * A value that a feature reads.
   *
   * @param name the name in the feature's definition
   * @param value NaN if it is missing
   */
  record Input(String name, double value) {}

  /** Creates a feature that is computed from a source of doubles. */
  static ShardFeature of(Source source, Modifiers modifiers) {
    return (extraction, target) -> {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      source.read(extraction.searcher(), extraction.window(), values);
      modifiers.store(values, target);
    };
  }

  /**
   * The values of one feature, a part of an array: {@code values[start + i]} belongs to document i
   * of the window.
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // instances are never compared; callers write into the array
  record Column(float[] values, int start) {}

  /**
   * The data from which the features of a window's documents are computed. Used by one thread.
   *
   * @param searcher the shard's searcher, which stops when the search is cancelled
   * @param columns the column of each feature of the set, null if the feature is not needed; the
   *     columns of a feature's inputs are filled before its own
   * @param scratch an array as long as the window, for the feature that is being computed
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // instances are never compared; callers share the arrays
  record Extraction(
      IndexSearcher searcher,
      Window window,
      @Nullable Column[] columns,
      double[] scratch,
      Cancellation cancellation) {
    /**
     * Returns the column with the values of a feature that another one reads.
     *
     * @param place the read feature's index in the set
     */
    public Column input(int place) {
      Column column = columns[place];
      if (column == null) {
        throw new IllegalStateException(
            "internal error: feature number "
                + place
                + " was read before it was computed; report this as a bug");
      }
      return column;
    }
  }

  /**
   * A source that computes one number for each document of a window. Used by one thread, for one or
   * more windows.
   */
  @FunctionalInterface
  interface Source {
    /**
     * Computes the numbers of all documents in a window.
     *
     * @param values an array as long as the window, which is overwritten; NaN for a document
     *     without a number
     */
    void read(IndexSearcher searcher, Window window, double[] values) throws IOException;
  }
}
