// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.RequestExt;
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
 * Finds, adds and removes the plugin's rescore clauses among the rescorers of a search. Stateless.
 */
final class Clauses {
  private Clauses() {}

  /** Returns the source of a search, an empty one if it has none. */
  static SearchSourceBuilder source(SearchRequest request) {
    return request.source() == null ? new SearchSourceBuilder() : request.source();
  }

  /** Returns the number of hits that a search requests. */
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

  /** Returns the memory charges of the clauses in a search and of its {@code ext} section. */
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

  /** Returns the last rescorer of a search if it is a clause of this plugin, otherwise null. */
  static @Nullable EnsembleRescorerBuilder last(SearchSourceBuilder source) {
    return source.rescores().getLast() instanceof EnsembleRescorerBuilder clause ? clause : null;
  }

  /** Returns a copy of a search in which a clause follows the other rescorers. */
  public static SearchSourceBuilder with(
      SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    SearchSourceBuilder with = source.shallowCopy();
    List<?> rescorers = source.rescores() == null ? List.of() : List.copyOf(source.rescores());
    // The copy shares the list of rescorers with the source, so it needs a new list.
    with.clearRescorers();
    rescorers.forEach(rescorer -> with.addRescorer((RescorerBuilder<?>) rescorer));
    return with.addRescorer(clause);
  }

  /** Returns a copy of a search without its last rescorer. */
  static SearchSourceBuilder withoutLast(SearchSourceBuilder source) {
    List<?> rescorers = List.copyOf(source.rescores());
    SearchSourceBuilder without = source.shallowCopy();
    without.clearRescorers();
    for (Object rescorer : rescorers.subList(0, rescorers.size() - 1)) {
      without.addRescorer((RescorerBuilder<?>) rescorer);
    }
    return without;
  }
}
