// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.window.Window;
import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;

/** Gives one number per document of a window. For one thread; may be used several times. */
@FunctionalInterface
interface WindowValues {
  /**
   * @param values as long as the window; every one is overwritten, NaN where there is no value
   */
  void read(IndexSearcher searcher, Window window, double[] values) throws IOException;
}
