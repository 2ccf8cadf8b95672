// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.RequestExt;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lease.Releasable;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/** Finds, adds and removes the clauses among a search's rescorers. Stateless. */
final class Clauses {
  private Clauses() {}

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

  /** Returns the memory charges of the search's clauses and of its {@code ext} section. */
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

  /** Returns the last rescorer if it is a clause, otherwise null. */
  static @Nullable EnsembleRescorerBuilder last(SearchSourceBuilder source) {
    return source.rescores().getLast() instanceof EnsembleRescorerBuilder clause ? clause : null;
  }

  /** Returns a copy of the source with a clause after its other rescorers. */
  public static SearchSourceBuilder with(
      SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    SearchSourceBuilder with = source.shallowCopy();
    List<?> rescorers = source.rescores() == null ? List.of() : List.copyOf(source.rescores());
    // The shallow copy shares the list of rescorers with the source, so it gets a new list.
    with.clearRescorers();
    rescorers.forEach(rescorer -> with.addRescorer((RescorerBuilder<?>) rescorer));
    return with.addRescorer(clause);
  }

  /** Returns a copy of the source without its last rescorer. */
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
