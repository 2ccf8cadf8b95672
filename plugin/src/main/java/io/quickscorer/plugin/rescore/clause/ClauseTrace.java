// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.memory.RequestBudget;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records how the clause of one request was bound on the coordinating node, so that the response
 * can describe it. The thread that binds the clause writes it; the thread that completes the
 * response reads it.
 */
public final class ClauseTrace {
  private final RequestBudget budget;
  private final Supplier<String> key;
  private volatile @Nullable Binding binding;

  /**
   * Creates a trace of a clause that is not bound yet.
   *
   * @param budget the memory budget of the whole search, open until it is answered
   * @param key returns a key that is equal for all pages of the search
   */
  public ClauseTrace(RequestBudget budget, Supplier<String> key) {
    this.budget = budget;
    this.key = key;
  }

  public RequestBudget budget() {
    return budget;
  }

  /** Returns the key that selects one of an alias's models, if the clause itself has no key. */
  public String key() {
    return key.get();
  }

  /**
   * The result of binding a clause.
   *
   * @param clause the bound clause
   * @param features the names of the features that are logged, in order
   * @param nanos the time for binding the parameters, in nanoseconds
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

  /** Returns the binding that was recorded, or null if the clause is not bound yet. */
  public @Nullable Binding binding() {
    return binding;
  }
}
