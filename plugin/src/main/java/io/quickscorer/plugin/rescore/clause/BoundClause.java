// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.LuceneExpression.Bound;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.rescore.clause.ClauseOptions.EarlierStage;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryRewriteContext;

/**
 * A rescore clause in the form that shards run: with the versions of its models, and with the
 * request's parameters in its features. Equal for all shards. Immutable.
 *
 * @param models the versions of the models of the last stage; those that rank come first, those
 *     that only score in the background (shadow models) last; empty if the clause only logs
 *     features
 * @param groups the features with the request's parameters; models share a group unless their sets
 *     define a feature differently
 * @param logged the number of logged features, which are the first features of the first group
 * @param nonce a random text that distinguishes this request's logged values from those of other
 *     requests; null if nothing is logged
 * @param rendered the size in bytes of the parameters that were inserted into the features
 * @param rule an expression that computes the final scores; null if there is none
 * @param stages the models of the stages before the last one, in order; empty if there is one stage
 */
public record BoundClause(
    List<BoundModel> models,
    List<BoundFeatures> groups,
    int logged,
    @Nullable String nonce,
    long rendered,
    @Nullable Bound rule,
    List<BoundModel> stages)
    implements WireRecord {
  /** The index of the score to which the rule is applied, among the inputs of {@link #rule}. */
  public static final int SCORE = 0;

  public static final int MODEL_SCORE = 1;
  public static final int FIRST_PASS_SCORE = 2;

  /** The index of the ranking model's first feature among the inputs of {@link #rule}. */
  public static final int FIRST_FEATURE = 3;

  /**
   * A version of a model in a clause, and its features.
   *
   * @param id the version
   * @param name the name in the request: the model's or an alias
   * @param group the index of the model's features in {@link BoundClause#groups}
   */
  public record BoundModel(ModelId id, String name, int group) implements WireRecord {}

  public BoundClause {
    models = List.copyOf(models);
    groups = List.copyOf(groups);
    stages = List.copyOf(stages);
  }

  /**
   * Returns the versions of the models of all {@linkplain Stage stages}: first those of the last
   * stage, then those of the earlier stages in order.
   */
  public List<ModelId> ids() {
    return Stream.concat(models.stream(), stages.stream()).map(BoundModel::id).toList();
  }

  /**
   * Returns an earlier {@linkplain Stage stage}, by its index from 0, as a separate clause that
   * logs nothing.
   */
  BoundClause stage(int place) {
    return new BoundClause(List.of(stages.get(place)), groups, 0, null, rendered, null, List.of());
  }

  /**
   * Returns the last {@linkplain Stage stage} as a separate clause; this object if it is the only
   * one.
   */
  BoundClause last() {
    return stages.isEmpty()
        ? this
        : new BoundClause(models, groups, logged, nonce, rendered, rule, List.of());
  }

  /**
   * Returns a copy of this clause with queries that the server has rewritten; this object if no
   * query has changed.
   */
  @SuppressWarnings("ReferenceEquality") // a rewrite that changes nothing returns its own object
  public BoundClause rewrite(QueryRewriteContext context) throws IOException {
    List<BoundFeatures> rewritten = new ArrayList<>();
    boolean changed = false;
    for (BoundFeatures group : groups) {
      BoundFeatures now = group.rewrite(context);
      changed |= now != group;
      rewritten.add(now);
    }
    return changed
        ? new BoundClause(models, rewritten, logged, nonce, rendered, rule, stages)
        : this;
  }

  /**
   * A stage of a clause: one or more models, the first of which ranks the best hits of the stage
   * before it. A clause without {@code stages} has one stage. Immutable.
   *
   * @param options the options of the stage's models
   * @param bound the stage's models, and the features of the whole clause
   * @param keep the number of best hits that the next stage ranks; ignored in the last stage
   * @param firstModel the index of the stage's first model among the clause's models
   */
  public record Stage(ClauseOptions options, BoundClause bound, int keep, int firstModel) {
    /** Returns the stages of a clause, in the order in which they rank hits. */
    public static List<Stage> of(ClauseOptions options, BoundClause bound) {
      List<Stage> stages = new ArrayList<>();
      for (int s = 0; s < options.stages().size(); s++) {
        StepLimit.step();
        EarlierStage stage = options.stages().get(s);
        stages.add(
            new Stage(options.of(stage), bound.stage(s), stage.keep(), bound.models().size() + s));
      }
      stages.add(new Stage(options.ofLast(), bound.last(), Integer.MAX_VALUE, 0));
      return List.copyOf(stages);
    }

    /**
     * Returns those elements of the list that belong to this stage's models. The list has one
     * element per model of the clause.
     */
    public <T> List<T> own(List<T> ofAllModels) {
      return ofAllModels.subList(firstModel, firstModel + modelsAmong(ofAllModels.size()));
    }

    /**
     * Returns the number of this stage's models that score on this node.
     *
     * @param all the number of the clause's models that score on this node; 0 if another node
     *     scores
     */
    private int modelsAmong(int all) {
      return Math.min(bound.models().size(), all);
    }

    /**
     * Returns the index of the feature group that this stage's ranking model reads. If the clause
     * has no model, returns 0, the index of the group to log.
     */
    public int rankingGroup() {
      return bound.models().isEmpty() ? 0 : bound.models().getFirst().group();
    }

    /** Returns whether this stage's model needs features of the group with this index. */
    public boolean reads(int group) {
      return bound.models().isEmpty()
          || bound.models().stream().anyMatch(model -> model.group() == group);
    }
  }
}
