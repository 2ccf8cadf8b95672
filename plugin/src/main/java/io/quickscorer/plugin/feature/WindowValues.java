// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Window;
import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;

/**
 * A source that computes one number for each document of a window. Used by one thread, for one or
 * more windows.
 */
@FunctionalInterface
interface WindowValues {
  /**
   * Computes the numbers of all documents in a window.
   *
   * @param values an array as long as the window, which is overwritten; NaN for a document without
   *     a number
   */
  void read(IndexSearcher searcher, Window window, double[] values) throws IOException;
}
