// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Column;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/** Fills a feature's column on one shard. For one thread; may be used for several windows. */
@FunctionalInterface
public interface ShardFeature {
  /**
   * Fills the column for all documents of the window. Called once per window, not per document.
   *
   * @param target holds the scores of {@link #scored} if the feature has such a query; otherwise
   *     its values are undefined
   */
  void fill(Extraction extraction, Column target) throws IOException;

  /**
   * Returns a query whose scores must be in the column first, or null. The queries of all features
   * are scored together.
   */
  default @Nullable Query scored() {
    return null;
  }

  /** A feature that is computed from named values. */
  interface Computed extends ShardFeature {
    /**
     * Returns the values that the feature read for the window's first document, for explanations.
     */
    List<Input> inputs(Extraction extraction) throws IOException;
  }

  /**
   * Something that a feature reads.
   *
   * @param name as the feature's definition calls it
   * @param value NaN if it is missing
   */
  record Input(String name, double value) {}

  /** Creates a feature whose source gives doubles. */
  static ShardFeature of(WindowValues source, Modifiers modifiers) {
    return (extraction, target) -> {
      extraction.cancellation().check();
      double[] values = extraction.scratch();
      source.read(extraction.searcher(), extraction.window(), values);
      modifiers.store(values, target);
    };
  }
}
