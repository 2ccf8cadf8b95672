// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Computes the values of one feature for the hits on one shard. Used by one thread, for one or more
 * lists of hits.
 */
@FunctionalInterface
public interface ShardFeature {
  /**
   * Writes the feature's values for all hits to a column.
   *
   * @param extraction the hits, and the values of other features
   * @param target receives the values. When this method is called, the column contains the scores
   *     of the query that {@link #scored} returns; without such a query, its content is undefined
   */
  void fill(Extraction extraction, Column target) throws IOException;

  /**
   * Returns a query whose scores the caller writes to the feature's column before {@link #fill};
   * null if there is none. The caller scores the queries of all features together, which is faster.
   */
  default @Nullable Query scored() {
    return null;
  }

  /** A feature that is computed from named values, such as other features and parameters. */
  interface Computed extends ShardFeature {
    /**
     * Returns the named values from which the feature's value for the first hit was computed, for a
     * user who asks for an explanation.
     */
    List<Input> inputs(Extraction extraction) throws IOException;
  }

  /**
   * A value from which a feature is computed.
   *
   * @param name the name of the value in the feature's definition
   * @param value the value; NaN if it is missing
   */
  record Input(String name, double value) {}

  /** Creates a feature whose values are read from a source of doubles. */
  static ShardFeature of(Source source, Modifiers modifiers) {
    return (extraction, target) -> {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      source.read(extraction.searcher(), extraction.window(), values);
      modifiers.store(values, target);
    };
  }

  /**
   * The values of one feature, in a part of an array: {@code values[start + i]} belongs to hit i of
   * the window.
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // instances are never compared; callers write into the array
  record Column(float[] values, int start) {}

  /**
   * The hits for which features are computed, and the values of the features computed so far. Used
   * by one thread.
   *
   * @param searcher the shard's searcher, whose queries stop if the search is cancelled
   * @param window the hits to rank
   * @param columns one element per feature of the set; null if the feature is not needed. A
   *     feature's column is filled after the columns of the features that it reads
   * @param scratch a temporary array with one element per hit, for the feature that is being
   *     computed
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
     * Returns the values of another feature.
     *
     * @param place the index of this other feature in the feature set
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

  /** Computes one number for each hit. Used by one thread, for one or more lists of hits. */
  @FunctionalInterface
  interface Source {
    /**
     * Computes the numbers for all hits.
     *
     * @param window the hits to rank
     * @param values receives one number per hit; NaN for a hit without a number
     */
    void read(IndexSearcher searcher, Window window, double[] values) throws IOException;
  }
}
