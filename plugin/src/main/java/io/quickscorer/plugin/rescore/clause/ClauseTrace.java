// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.memory.RequestBudget;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The coordinating node's findings about one request's clause, for the response. Written by the
 * thread that binds the clause, read when the answer is there.
 */
public final class ClauseTrace {
  private final RequestBudget budget;
  private final Supplier<String> key;
  private volatile @Nullable Binding binding;

  /**
   * @param budget of the whole search, open until it is answered
   * @param key the same for all pages of the search
   */
  public ClauseTrace(RequestBudget budget, Supplier<String> key) {
    this.budget = budget;
    this.key = key;
  }

  public RequestBudget budget() {
    return budget;
  }

  /**
   * Returns the key that selects among the models of an alias if the clause has no key of its own.
   */
  public String key() {
    return key.get();
  }

  /**
   * @param clause the clause as it was bound
   * @param features names of the features that are logged, in order
   * @param nanos time spent on putting the parameters in
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

  /** Returns the binding, or null as long as the clause is not bound. */
  public @Nullable Binding binding() {
    return binding;
  }
}
