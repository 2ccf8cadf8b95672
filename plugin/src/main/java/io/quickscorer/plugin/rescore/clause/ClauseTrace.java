// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.memory.RequestBudget;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records the models and features that one clause of a search uses, so that the response can
 * describe them. One thread writes the record, and the thread that completes the response reads it.
 */
public final class ClauseTrace {
  private final RequestBudget budget;
  private final Supplier<String> key;
  private volatile @Nullable Binding binding;

  /**
   * Creates an empty record, before the versions of the models are determined.
   *
   * @param budget the memory budget of the whole search, which stays open until the response is
   *     complete
   * @param key returns a text that is equal for all pages of the search
   */
  public ClauseTrace(RequestBudget budget, Supplier<String> key) {
    this.budget = budget;
    this.key = key;
  }

  public RequestBudget budget() {
    return budget;
  }

  /**
   * Returns a text that is equal for all pages of the search. If the clause has no share key, a
   * hash of this text selects one of an alias's models.
   */
  public String key() {
    return key.get();
  }

  /**
   * The models and features that a clause uses.
   *
   * @param clause the clause in the form that shards run
   * @param features the names of the features that are logged, in order
   * @param nanos the time for inserting the request's parameters, in nanoseconds
   */
  public record Binding(BoundClause clause, List<String> features, long nanos) {}

  public void bound(BoundClause clause, long nanos) {
    List<String> names =
        clause.logged() == 0
            ? List.of()
            : clause.groups().getFirst().features().subList(0, clause.logged()).stream()
                .map(feature -> feature.name())
                .toList();
    binding = new Binding(clause, names, nanos);
  }

  /** Returns the recorded models and features; null if they were not determined yet. */
  public @Nullable Binding binding() {
    return binding;
  }
}
