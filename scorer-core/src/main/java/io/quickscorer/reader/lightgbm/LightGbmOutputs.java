// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.OutputChoice;
import java.util.List;

/**
 * The outputs of a LightGBM model. Each iteration has one tree for each output. The output to score
 * is chosen before the trees are read.
 */
final class LightGbmOutputs {
  private final OutputChoice choice;
  private int classes = 1;
  private int perIteration;
  private long offset;
  private int chosen;

  LightGbmOutputs(OutputChoice choice) {
    this.choice = choice;
  }

  /**
   * Sets one of the two numbers of outputs in the header.
   *
   * @param key {@code num_class} or {@code num_tree_per_iteration}
   */
  void header(String key, int value, long at) {
    if (key.equals("num_class")) {
      classes = value;
    } else {
      perIteration = value;
    }
    offset = value > 1 ? at : offset;
  }

  /**
   * Chooses the output to score. Called after the header was read.
   *
   * @throws InvalidModelException if the header contradicts itself, or as {@link
   *     OutputChoice#among} does
   */
  void settle(String objective, long objectiveOffset) {
    if (perIteration != 0 && perIteration != classes) {
      throw InvalidModelException.at(
          offset, "num_class: " + classes + ", but num_tree_per_iteration is " + perIteration);
    }
    if (classes == 1 && LightGbmObjective.isMultiClass(objective)) {
      throw InvalidModelException.at(objectiveOffset, "objective: multi-class, but num_class is 1");
    }
    chosen = choice.among(classes, description(objective), offset);
  }

  private String description(String objective) {
    return "num_class " + classes + (objective.isEmpty() ? "" : ", " + objective.split(" ", -1)[0]);
  }

  /** Returns whether a tree belongs to the output that is scored. */
  boolean takes(int tree) {
    return tree % classes == chosen;
  }

  /** Checks that the number of trees is a multiple of the number of outputs. */
  void checkTrees(int trees, long at) {
    if (trees % classes != 0) {
      throw InvalidModelException.at(
          at,
          "found "
              + trees
              + " trees, expected a multiple of "
              + classes
              + ", the number of outputs");
    }
  }

  List<String> notes(String objective) {
    return OutputChoice.notes(
        chosen, classes, description(objective), LightGbmObjective.isJoint(objective));
  }
}
