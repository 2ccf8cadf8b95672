// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.expression.BoundExpression;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * A clause as the coordinating node created it, equal for all shards. Immutable.
 *
 * @param models the pinned versions, shadows last; none if features are only logged
 * @param groups features, bound to the request's parameters; each group serves the models whose
 *     feature sets agree, in one pass
 * @param logged how many features of the first group, from its start, are logged
 * @param nonce distinguishes this request's logged rows from other requests' rows; null if nothing
 *     is logged
 * @param rendered bytes of the rendered parameters in the features
 * @param rule computes the final scores, or null
 * @param stages the pinned versions of the stages before the last one, in their order
 */
public record BoundClause(
    List<BoundModel> models,
    List<BoundFeatures> groups,
    int logged,
    @Nullable String nonce,
    long rendered,
    @Nullable BoundExpression rule,
    List<BoundModel> stages)
    implements WireRecord {
  /**
   * A pinned version.
   *
   * @param name what the request calls it: its name or an alias
   * @param group the place of its features in the clause's groups
   */
  public record BoundModel(ModelId id, String name, int group) implements WireRecord {}

  public BoundClause {
    models = List.copyOf(models);
    groups = List.copyOf(groups);
    stages = List.copyOf(stages);
  }

  /** Returns the versions of all stages, those of the last stage first. */
  public List<ModelId> ids() {
    return Stream.concat(models.stream(), stages.stream()).map(BoundModel::id).toList();
  }

  /** Returns a stage before the last one as a separate clause. Nothing is logged for its hits. */
  BoundClause stage(int place) {
    return new BoundClause(List.of(stages.get(place)), groups, 0, null, rendered, null, List.of());
  }

  /** Returns the last stage as a separate clause, or this object if there are no other stages. */
  BoundClause last() {
    return stages.isEmpty()
        ? this
        : new BoundClause(models, groups, logged, nonce, rendered, rule, List.of());
  }

  /** Returns this clause with its queries rewritten, or this object if none changes. */
  public BoundClause rewrite(QueryRewriteContext context) throws IOException {
    List<BoundFeatures> rewritten = new ArrayList<>();
    boolean changed = false;
    for (BoundFeatures group : groups) {
      BoundFeatures now = group.rewrite(context);
      changed |= !same(now, group);
      rewritten.add(now);
    }
    return changed
        ? new BoundClause(models, rewritten, logged, nonce, rendered, rule, stages)
        : this;
  }

  /**
   * Returns whether two objects are identical. A rewrite that changes nothing returns its argument
   * itself.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(BoundFeatures a, BoundFeatures b) {
    return a == b;
  }
}
