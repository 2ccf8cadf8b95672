// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.lease.Releasable;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.SearchService;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * Finds, adds and removes this plugin's clauses (objects {@code quickscorer} under {@code rescore})
 * in a search, and computes how many hits they need. Stateless.
 */
final class Clauses {
  private Clauses() {}

  /** Returns the body of a search request, or a new empty body if the request has none. */
  static SearchSourceBuilder source(SearchRequest request) {
    return request.source() == null ? new SearchSourceBuilder() : request.source();
  }

  /** Returns the number of hits that the response to a search should contain. */
  static int size(SearchSourceBuilder source) {
    return source.size() < 0 ? SearchService.DEFAULT_SIZE : source.size();
  }

  public static List<EnsembleRescorerBuilder> of(SearchSourceBuilder source) {
    List<EnsembleRescorerBuilder> clauses = new ArrayList<>();
    if (source.rescores() != null) {
      for (RescorerBuilder<?> rescorer : source.rescores()) {
        if (rescorer instanceof EnsembleRescorerBuilder clause) {
          clauses.add(clause);
        }
      }
    }
    return clauses;
  }

  /** Returns the memory charges of a search's clauses and of its {@code ext} section. */
  static List<Releasable> memory(@Nullable SearchSourceBuilder source) {
    List<Releasable> taken = new ArrayList<>();
    if (source != null) {
      of(source).forEach(clause -> taken.add(clause.memory()));
      for (SearchExtBuilder ext : source.ext()) {
        if (ext instanceof RequestExt section) {
          taken.add(section.memory());
        }
      }
    }
    return taken;
  }

  /** Returns the last rescorer of a search if it is this plugin's clause; null otherwise. */
  static @Nullable EnsembleRescorerBuilder last(SearchSourceBuilder source) {
    return source.rescores().getLast() instanceof EnsembleRescorerBuilder clause ? clause : null;
  }

  /** Returns a copy of a search's body with one more clause as its last rescorer. */
  public static SearchSourceBuilder with(
      SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    SearchSourceBuilder with = SearchBody.copy(source);
    List<?> rescorers = source.rescores() == null ? List.of() : List.copyOf(source.rescores());
    // The copy shares the list of rescorers with the source, so it needs a new list.
    with.clearRescorers();
    rescorers.forEach(rescorer -> with.addRescorer((RescorerBuilder<?>) rescorer));
    return with.addRescorer(clause);
  }

  /** Returns a copy of a search's body without its last rescorer. */
  static SearchSourceBuilder withoutLast(SearchSourceBuilder source) {
    List<?> rescorers = List.copyOf(source.rescores());
    SearchSourceBuilder without = SearchBody.copy(source);
    without.clearRescorers();
    for (Object rescorer : rescorers.subList(0, rescorers.size() - 1)) {
      without.addRescorer((RescorerBuilder<?>) rescorer);
    }
    return without;
  }

  /**
   * Returns a copy of a request, for an additional search. The copied request has a body of its
   * own, because search pipelines modify the body. It uses the same search pipeline.
   */
  static SearchRequest copy(SearchRequest request) {
    return copy(request, SearchBody.copy(source(request)));
  }

  /** Returns a copy of a request with another body. It uses the same search pipeline. */
  static SearchRequest copy(SearchRequest request, SearchSourceBuilder source) {
    return new SearchRequest(request).pipeline(request.pipeline()).source(source);
  }

  /**
   * Returns the number of hits that each shard must collect, so that all pages come from one
   * ranking; 0 if the number that the server collects is sufficient.
   *
   * <p>The server collects the larger of two numbers: {@code from + size}, where the page ends, and
   * the largest number of hits that a rescorer ranks (its window). If a rescorer can put unranked
   * hits before ranked ones, the sum of both numbers is needed.
   */
  static int collected(SearchSourceBuilder source) {
    long collected = pageEnd(source);
    long needed = collected;
    for (Object rescorer : ((List<?>) source.rescores()).reversed()) {
      int window = window((RescorerBuilder<?>) rescorer);
      collected = Math.max(collected, window);
      needed = mixes(rescorer) ? needed + window : Math.max(needed, window);
    }
    return needed > collected ? (int) Math.min(needed, Integer.MAX_VALUE) : 0;
  }

  /** Returns {@code from + size}, the rank at which the page of the search ends. */
  static long pageEnd(SearchSourceBuilder source) {
    return (long) Math.max(0, source.from()) + size(source);
  }

  static int window(RescorerBuilder<?> rescorer) {
    Integer window = rescorer.windowSize();
    return window == null ? RescorerBuilder.DEFAULT_WINDOW_SIZE : window;
  }

  /**
   * Returns the number of hits that a clause with {@code "scope": "global"} needs from all shards
   * together. This is the larger of two numbers: the number of hits that the clause ranks (its
   * window), and {@code from + size}, where the page ends.
   *
   * <p>If unranked hits can come before ranked ones or replace removed ones, it is the sum of both
   * numbers. For a collapsed search, it is always the window.
   */
  static int collectedGlobally(SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    long page = pageEnd(source);
    int window = window(clause);
    if (source.collapse() != null) {
      return window;
    }
    OutsideWindow outside = clause.options().outsideWindow();
    boolean cuts = clause.options().rules().minModelScore() != null;
    boolean more = outside == OutsideWindow.MIX || cuts && outside == OutsideWindow.KEEP_BELOW;
    return (int) Math.min(more ? page + window : Math.max(page, window), Integer.MAX_VALUE);
  }

  /** Returns whether a rescorer may put hits that it does not rank before hits that it ranks. */
  private static boolean mixes(Object rescorer) {
    return !(rescorer instanceof EnsembleRescorerBuilder clause)
        || (clause.options().featureSet() == null
            && !clause.options().isGlobal()
            && clause.options().outsideWindow() == OutsideWindow.MIX);
  }
}
