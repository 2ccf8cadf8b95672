// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.model.node.ModelLookup;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A snapshot of the models and aliases for one search, taken when its first clause is bound. With
 * the snapshot, a name refers to the same version of a model in all clauses. Safe for use by
 * several threads.
 */
public final class SearchNames {
  private final AtomicReference<ModelLookup.Names> names = new AtomicReference<>();

  /** Returns the snapshot. The first call takes it from {@code models}. */
  public ModelLookup.Names in(ModelLookup models) {
    ModelLookup.Names now = models.names();
    ModelLookup.Names before = names.compareAndExchange(null, now);
    return before == null ? now : before;
  }
}
