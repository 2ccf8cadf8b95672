// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.action.UseRights;
import io.quickscorer.plugin.feature.expression.Expressions;
import io.quickscorer.plugin.feature.window.IdleThreads;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.verify.Verifier;

/** The services of a node that rescoring uses, each of which exists once per node. */
public record RescoreServices(
    ModelLookup models,
    UseRights rights,
    RequestMemory memory,
    RescoreStats stats,
    Engines engines,
    Explainers explainers,
    Verifier verifier,
    Expressions expressions,
    IdleThreads idle) {
  /** Returns a copy with different counters and a different verifier. */
  public RescoreServices with(RescoreStats otherStats, Verifier otherVerifier) {
    return new RescoreServices(
        models, rights, memory, otherStats, engines, explainers, otherVerifier, expressions, idle);
  }
}
