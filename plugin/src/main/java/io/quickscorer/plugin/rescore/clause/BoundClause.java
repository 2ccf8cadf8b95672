// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.BoundFeatures;
import io.quickscorer.plugin.feature.LuceneExpression.Bound;
import io.quickscorer.plugin.guard.Work;
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
 * A rescore clause in the form that shards run. The coordinating node has determined the versions
 * of its models, and inserted the request's parameters into its features. It is equal for all
 * shards. Immutable.
 *
 * @param models the versions of the models; shadow models, which only score in the background, come
 *     last; empty if the clause only logs features
 * @param groups the features with the request's parameters; models share a group if their sets
 *     define their common features equally
 * @param logged the number of features that are logged, from the start of the first group
 * @param nonce a random text that distinguishes this request's logged values from those of other
 *     requests; null if nothing is logged
 * @param rendered the size of the parameters that were inserted into the features, in bytes
 * @param rule an expression that computes the final scores, or null
 * @param stages the versions of the models of earlier stages, in order; the last stage's models are
 *     in {@code models}
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
  /**
   * The index, among the columns that {@link #rule} reads, of the column with each hit's score
   * before the rule changes it.
   */
  public static final int SCORE = 0;

  public static final int MODEL_SCORE = 1;
  public static final int FIRST_PASS_SCORE = 2;

  /**
   * The index, among the columns that {@link #rule} reads, of the ranking model's first feature.
   * The other features follow.
   */
  public static final int FIRST_FEATURE = 3;

  /**
   * A version of a model in a clause, and its features.
   *
   * @param id the version
   * @param name the name in the request: the model's or an alias
   * @param group the index of the model's features in the clause's list of groups
   */
  public record BoundModel(ModelId id, String name, int group) implements WireRecord {}

  public BoundClause {
    models = List.copyOf(models);
    groups = List.copyOf(groups);
    stages = List.copyOf(stages);
  }

  /**
   * Returns the versions of the models of all stages, those of the last stage first. A stage is a
   * model that ranks the best hits of the stage before it.
   */
  public List<ModelId> ids() {
    return Stream.concat(models.stream(), stages.stream()).map(BoundModel::id).toList();
  }

  /**
   * Returns an earlier stage (a model that ranks hits before the last model does), in the form of a
   * separate clause that logs nothing.
   *
   * @param place the stage's index, from 0
   */
  BoundClause stage(int place) {
    return new BoundClause(List.of(stages.get(place)), groups, 0, null, rendered, null, List.of());
  }

  /**
   * Returns the last stage (the model that ranks the best hits of earlier stages), in the form of a
   * separate clause. Returns this object if there are no other stages.
   */
  BoundClause last() {
    return stages.isEmpty()
        ? this
        : new BoundClause(models, groups, logged, nonce, rendered, rule, List.of());
  }

  /**
   * Returns a copy of this clause whose queries the server has rewritten, or this object if no
   * query changes.
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
   * A stage of a clause: a model that ranks the best hits of the stage before it. A clause without
   * stages is treated as one stage. Immutable.
   *
   * @param options the options of the stage's models
   * @param bound the stage's models, and the features of the whole clause
   * @param keep the number of hits that the next stage ranks; ignored in the last stage
   * @param firstModel the index of the stage's first model among the clause's models
   */
  public record Stage(ClauseOptions options, BoundClause bound, int keep, int firstModel) {
    /**
     * Returns the stages of a clause, in the order in which they rank hits. Each ranks the best
     * hits of the stage before it.
     */
    public static List<Stage> of(ClauseOptions options, BoundClause bound) {
      List<Stage> stages = new ArrayList<>();
      for (int s = 0; s < options.stages().size(); s++) {
        Work.step();
        EarlierStage stage = options.stages().get(s);
        stages.add(
            new Stage(options.of(stage), bound.stage(s), stage.keep(), bound.models().size() + s));
      }
      stages.add(new Stage(options.ofLast(), bound.last(), Integer.MAX_VALUE, 0));
      return List.copyOf(stages);
    }

    /**
     * Selects the elements for this stage's models from a list that contains one element per model
     * of the clause.
     */
    public <T> List<T> own(List<T> ofAllModels) {
      return ofAllModels.subList(firstModel, firstModel + modelsAmong(ofAllModels.size()));
    }

    /**
     * Returns how many of the clause's models belong to this stage. Returns 0 if the clause has no
     * model, or if another node computes the scores.
     *
     * @param all the number of the clause's models
     */
    private int modelsAmong(int all) {
      return Math.min(bound.models().size(), all);
    }

    /**
     * Returns the index of the feature group (list of features) that this stage's ranking model
     * uses. If the clause has no model, returns the index of the group to log.
     */
    public int rankingGroup() {
      return bound.models().isEmpty() ? 0 : bound.models().getFirst().group();
    }

    /**
     * Returns whether this stage's model needs the features of a group (list of features).
     *
     * @param group the index of the group
     */
    public boolean reads(int group) {
      return bound.models().isEmpty()
          || bound.models().stream().anyMatch(model -> model.group() == group);
    }
  }
}
