// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.model.node.ModelLookup;
import java.util.ArrayList;
import java.util.List;

/** Keeps all models of a clause in memory until this object is closed. */
final class ModelUses implements AutoCloseable {
  private final List<ModelLookup.ModelUse> uses = new ArrayList<>();

  private ModelUses() {}

  /**
   * Acquires models and returns them. If one of them is not loaded, acquires none and throws an
   * exception (503).
   */
  public static ModelUses acquire(ModelLookup lookup, List<ModelId> ids) {
    ModelUses acquired = new ModelUses();
    boolean all = false;
    try {
      for (ModelId id : ids) {
        acquired.uses.add(lookup.acquire(id));
      }
      all = true;
      return acquired;
    } finally {
      if (!all) {
        acquired.close();
      }
    }
  }

  public List<CompiledModel> models() {
    return uses.stream().map(ModelLookup.ModelUse::model).toList();
  }

  @Override
  public void close() {
    uses.forEach(ModelLookup.ModelUse::close);
  }
}
