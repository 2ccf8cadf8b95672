// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.IdleThreads;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.verify.Verifier;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.lease.Releasable;

/**
 * The services of a node that rescoring uses. All users' searches share them. Warm-up searches have
 * their own statistics and verifier.
 */
public record RescoreServices(
    ModelLookup models,
    UseRights rights,
    RequestMemory memory,
    RescoreStats stats,
    Engines engines,
    Verifier verifier,
    LuceneExpression.Compiled expressions,
    IdleThreads idle) {
  /** Returns a copy with other statistics and another verifier of scores. */
  public RescoreServices with(RescoreStats otherStats, Verifier otherVerifier) {
    return new RescoreServices(
        models, rights, memory, otherStats, engines, otherVerifier, expressions, idle);
  }

  /**
   * Keeps models in memory while they are used. If one of them is not loaded, throws an exception
   * (503) and keeps none.
   *
   * @return the models, which stay in memory until the returned object is closed
   */
  ModelUses acquire(List<ModelId> ids) {
    ModelUses acquired = new ModelUses(new ArrayList<>());
    boolean all = false;
    try {
      for (ModelId id : ids) {
        acquired.uses.add(models.acquire(id));
      }
      all = true;
      return acquired;
    } finally {
      if (!all) {
        acquired.close();
      }
    }
  }

  /** Keeps all models of a clause in memory until this object is closed. */
  record ModelUses(List<ModelLookup.ModelUse> uses) implements Releasable {
    public List<CompiledModel> models() {
      return uses.stream().map(ModelLookup.ModelUse::model).toList();
    }

    @Override
    public void close() {
      uses.forEach(ModelLookup.ModelUse::close);
    }
  }
}
