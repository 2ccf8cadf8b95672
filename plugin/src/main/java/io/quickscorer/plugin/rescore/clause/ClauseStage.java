// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.guard.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * A stage of a clause in the form of a separate clause, for existing hits. A clause without stages
 * is its only stage. Immutable.
 *
 * @param options what the stage's models do
 * @param bound the stage's models, with all groups of the clause's features
 * @param keep how many hits go on to the next stage; unused in the last stage
 * @param firstModel place of the stage's first model among the clause's models
 */
public record ClauseStage(ClauseOptions options, BoundClause bound, int keep, int firstModel) {
  /** Returns the stages of a clause, in the order in which hits go through them. */
  public static List<ClauseStage> of(ClauseOptions options, BoundClause bound) {
    List<ClauseStage> stages = new ArrayList<>();
    for (int s = 0; s < options.stages().size(); s++) {
      Work.step();
      EarlierStage stage = options.stages().get(s);
      stages.add(
          new ClauseStage(
              options.of(stage), bound.stage(s), stage.keep(), bound.models().size() + s));
    }
    stages.add(new ClauseStage(options.ofLast(), bound.last(), Integer.MAX_VALUE, 0));
    return List.copyOf(stages);
  }

  /**
   * Returns the elements of this stage's models from a list with one element per model of the
   * clause.
   */
  public <T> List<T> own(List<T> ofAllModels) {
    return ofAllModels.subList(firstModel, firstModel + modelsAmong(ofAllModels.size()));
  }

  /**
   * Returns how many of the stage's models are among the first {@code all} ones. A clause has no
   * models here if it has none at all, or if its models score elsewhere.
   */
  private int modelsAmong(int all) {
    return Math.min(bound.models().size(), all);
  }

  /**
   * Returns the group with the features of the stage's ranking model, or of the set that is logged.
   */
  public int rankingGroup() {
    return bound.models().isEmpty() ? 0 : bound.models().getFirst().group();
  }

  /** Returns whether the stage needs the features of a group. */
  public boolean reads(int group) {
    return bound.models().isEmpty()
        || bound.models().stream().anyMatch(model -> model.group() == group);
  }
}
