// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.Window;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * The data from which the features of a window's documents are computed. Used by one thread.
 *
 * @param searcher the shard's searcher, which stops when the search is cancelled
 * @param columns the column of each feature of the set, null if the feature is not needed; the
 *     columns of a feature's inputs are filled before its own
 * @param scratch an array as long as the window, for the feature that is being computed
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared; callers share the arrays
public record Extraction(
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
