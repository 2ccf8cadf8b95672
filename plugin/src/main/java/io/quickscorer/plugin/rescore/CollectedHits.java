// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import java.util.List;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * Computes the number of hits that each shard must collect, so that a page is part of one ranking.
 *
 * <p>The server collects the maximum of {@code from + size} and the windows. This number is too
 * small if a rescorer mixes the hits beyond its window with the rescored hits: the first n hits of
 * its result may all be hits that it did not rescore, and these come after the window's hits. So
 * the rescorer needs n hits in addition to a window, and so does each rescorer before it.
 */
final class CollectedHits {
  private CollectedHits() {}

  /**
   * Returns the number of hits that each shard must collect for a search with rescorers: at most
   * {@link Integer#MAX_VALUE}, or 0 if the server collects enough hits by itself.
   */
  static int of(SearchSourceBuilder source) {
    long page = (long) Math.max(0, source.from()) + Clauses.size(source);
    long collected = page;
    long needed = page;
    List<?> rescorers = source.rescores();
    for (Object rescorer : rescorers.reversed()) {
      int window = window((RescorerBuilder<?>) rescorer);
      collected = Math.max(collected, window);
      needed = mixes(rescorer) ? needed + window : Math.max(needed, window);
    }
    return needed > collected ? (int) Math.min(needed, Integer.MAX_VALUE) : 0;
  }

  private static int window(RescorerBuilder<?> rescorer) {
    Integer window = rescorer.windowSize();
    return window == null ? RescorerBuilder.DEFAULT_WINDOW_SIZE : window;
  }

  /**
   * Returns the number of hits that a global clause needs from all shards together: the size of the
   * window or the end of the page, whichever is larger. If hits beyond the window are mixed with
   * the rescored hits, or replace hits that the rules cut, the result is the sum of both numbers. A
   * collapsed search needs only the window.
   */
  static int globally(SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    long page = (long) Math.max(0, source.from()) + Clauses.size(source);
    int window = window(clause);
    if (source.collapse() != null) {
      return window;
    }
    OutsideWindow outside = clause.options().outsideWindow();
    boolean cuts = clause.options().rules().minModelScore() != null;
    boolean more = outside == OutsideWindow.MIX || cuts && outside == OutsideWindow.KEEP_BELOW;
    return (int) Math.min(more ? page + window : Math.max(page, window), Integer.MAX_VALUE);
  }

  /**
   * Returns whether a rescorer mixes hits beyond its window with the rescored hits. All rescorers
   * do, except clauses that log a feature set, are global, or set {@code outside_window} to another
   * value than mix.
   */
  private static boolean mixes(Object rescorer) {
    return !(rescorer instanceof EnsembleRescorerBuilder clause)
        || (clause.options().featureSet() == null
            && !clause.options().isGlobal()
            && clause.options().outsideWindow() == OutsideWindow.MIX);
  }
}
