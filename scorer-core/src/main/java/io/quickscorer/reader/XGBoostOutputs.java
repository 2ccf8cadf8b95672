// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.OutputChoice;
import io.quickscorer.reader.input.IntList;
import java.util.List;

/**
 * The outputs of an XGBoost model: classes, targets or quantiles. Each tree belongs to one output.
 */
final class XGBoostOutputs {
  /**
   * An objective whose outputs depend on each other. Each output after the first is a difference
   * from the previous output.
   */
  private static final String EXPECTILES = "reg:expectileerror";

  private final OutputChoice choice;
  private final IntList groups = new IntList();
  private int classes;
  private int targets;
  private long offset;
  private long groupsOffset = -1;
  private int count = 1;
  private int chosen;
  private String description = "";

  XGBoostOutputs(OutputChoice choice) {
    this.choice = choice;
  }

  void classes(int classes, long at) {
    this.classes = classes;
    offset = classes > 1 ? at : offset;
  }

  void targets(int targets, long at) {
    this.targets = targets;
    offset = targets > 1 ? at : offset;
  }

  /** Returns the list with the number of each tree's output, which the reader fills. */
  IntList groups() {
    return groups;
  }

  /** Sets the byte offset of the list that assigns trees to outputs. */
  void groupsAt(long at) {
    groupsOffset = at;
  }

  /** Returns the number of trees that were assigned to outputs; -1 if the file has no such list. */
  int assigned() {
    return groupsOffset < 0 ? -1 : groups.size();
  }

  /**
   * Chooses the output to score. Called after the file was read.
   *
   * @param objective the objective as the file spells it
   * @param objectiveOffset the byte offset of the objective
   * @throws InvalidModelException as {@link OutputChoice#among} does, or if a tree belongs to an
   *     output that does not exist
   */
  void settle(String objective, XGBoostObjective known, long objectiveOffset) {
    count = Math.max(1, Math.max(classes, targets));
    description = (classes > 1 ? "num_class " : "num_target ") + count + ", " + objective;
    if (count == 1 && known == XGBoostObjective.MULTICLASS) {
      throw InvalidModelException.at(
          objectiveOffset,
          objective + ": the objective is multi-class, but num_class is " + classes);
    }
    chosen = choice.among(count, description, offset);
    if (count > 1 && objective.equals(EXPECTILES)) {
      throw InvalidModelException.at(
          objectiveOffset,
          description + ": expectiles are not supported, because the outputs depend on each other");
    }
    for (int tree = 0; tree < groups.size(); tree++) {
      if (groups.get(tree) >= count) {
        throw InvalidModelException.at(
            groupsOffset,
            "tree_info: tree "
                + tree
                + " belongs to output "
                + groups.get(tree)
                + ", expected 0.."
                + (count - 1));
      }
    }
  }

  /** Returns the number of the model's outputs. */
  int count() {
    return count;
  }

  /** Returns the number of the output that is scored. */
  int chosen() {
    return chosen;
  }

  /** Returns whether a tree belongs to the output that is scored. */
  boolean takes(int tree) {
    return count == 1 || groups.get(tree) == chosen;
  }

  List<String> notes(XGBoostObjective known) {
    return OutputChoice.notes(chosen, count, description, known == XGBoostObjective.MULTICLASS);
  }
}
