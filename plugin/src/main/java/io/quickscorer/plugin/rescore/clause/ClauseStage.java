// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.guard.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * A stage of a clause. It ranks hits like a separate clause. A clause without stages counts as one
 * stage. Immutable.
 *
 * @param options the options of the stage's models
 * @param bound the stage's models, with all groups of the clause's features
 * @param keep the number of hits that the next stage ranks; ignored in the last stage
 * @param firstModel the index of the stage's first model among the clause's models
 */
public record ClauseStage(ClauseOptions options, BoundClause bound, int keep, int firstModel) {
  /** Returns the stages of a clause, in the order in which they rank hits. */
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
   * Selects the elements that belong to this stage's models from a list with one element per model
   * of the clause.
   */
  public <T> List<T> own(List<T> ofAllModels) {
    return ofAllModels.subList(firstModel, firstModel + modelsAmong(ofAllModels.size()));
  }

  /**
   * Returns how many elements of a list with {@code all} models' data belong to this stage: 0 if
   * the clause has no model, or if another node computes the scores.
   */
  private int modelsAmong(int all) {
    return Math.min(bound.models().size(), all);
  }

  /**
   * Returns the index of the feature group that this stage's ranking model uses, or that contains
   * the logged set.
   */
  public int rankingGroup() {
    return bound.models().isEmpty() ? 0 : bound.models().getFirst().group();
  }

  /**
   * Returns whether the stage needs the features of a group.
   *
   * @param group the index of the group
   */
  public boolean reads(int group) {
    return bound.models().isEmpty()
        || bound.models().stream().anyMatch(model -> model.group() == group);
  }
}
