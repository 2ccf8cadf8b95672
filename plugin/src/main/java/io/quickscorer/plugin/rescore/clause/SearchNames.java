// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.model.node.ModelLookup;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The models and aliases of one search as they were when the first of its clauses was bound: in
 * none of them is a name, or a model, another version. Safe for use by several threads.
 */
public final class SearchNames {
  private final AtomicReference<ModelLookup.Names> names = new AtomicReference<>();

  /** Returns the names for the whole search; the first call takes them from these models. */
  public ModelLookup.Names in(ModelLookup models) {
    ModelLookup.Names now = models.names();
    ModelLookup.Names before = names.compareAndExchange(null, now);
    return before == null ? now : before;
  }
}
