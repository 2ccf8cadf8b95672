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
 * A clause after the coordinating node has bound it to versions of models and to parameters. It is
 * equal for all shards. Immutable.
 *
 * @param models the versions of the models, with the shadow models last; empty if the clause only
 *     logs features
 * @param groups the features, bound to the request's parameters; models share a group if their sets
 *     define their common features equally
 * @param logged the number of features that are logged, from the start of the first group
 * @param nonce a random text that distinguishes this request's logged rows from those of other
 *     requests; null if nothing is logged
 * @param rendered the size of the rendered parameters in the features, in bytes
 * @param rule computes the final scores, or null
 * @param stages the versions of the models of the stages before the last one, in the order of the
 *     stages
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
   * A version of a model in a bound clause, and the group with its features.
   *
   * @param name the name in the request: the model's or an alias
   * @param group the index of its features in the clause's groups
   */
  public record BoundModel(ModelId id, String name, int group) implements WireRecord {}

  public BoundClause {
    models = List.copyOf(models);
    groups = List.copyOf(groups);
    stages = List.copyOf(stages);
  }

  /** Returns the versions of the models of all stages, those of the last stage first. */
  public List<ModelId> ids() {
    return Stream.concat(models.stream(), stages.stream()).map(BoundModel::id).toList();
  }

  /**
   * Returns one of the stages before the last one as a separate clause, which logs nothing.
   *
   * @param place the stage's index, from 0
   */
  BoundClause stage(int place) {
    return new BoundClause(List.of(stages.get(place)), groups, 0, null, rendered, null, List.of());
  }

  /** Returns the last stage as a separate clause, or this object if there are no other stages. */
  BoundClause last() {
    return stages.isEmpty()
        ? this
        : new BoundClause(models, groups, logged, nonce, rendered, rule, List.of());
  }

  /** Returns this clause with its queries rewritten, or this object if no query changes. */
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
   * Returns whether two references are identical. A rewrite that changes nothing returns the same
   * object.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(BoundFeatures a, BoundFeatures b) {
    return a == b;
  }
}
