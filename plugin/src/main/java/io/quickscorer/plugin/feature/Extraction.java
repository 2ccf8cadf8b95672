// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.Window;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/**
 * One pass over a window's features. For one thread.
 *
 * @param searcher of the shard; it stops when the search is cancelled
 * @param columns the column of each feature of the set, null if it is not needed; a feature's
 *     inputs are filled before it
 * @param scratch as long as the window, for the feature that is being filled
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: the arrays are the point
public record Extraction(
    IndexSearcher searcher,
    Window window,
    @Nullable Column[] columns,
    double[] scratch,
    Cancellation cancellation) {
  /** Returns an input's column. */
  public Column input(int place) {
    Column column = columns[place];
    if (column == null) {
      throw new IllegalStateException("input " + place + " was not computed");
    }
    return column;
  }
}
