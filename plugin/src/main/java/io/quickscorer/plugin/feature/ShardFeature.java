// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Column;
import java.io.IOException;
import java.util.List;
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
  static ShardFeature of(WindowValues source, Modifiers modifiers) {
    return (extraction, target) -> {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      source.read(extraction.searcher(), extraction.window(), values);
      modifiers.store(values, target);
    };
  }
}
