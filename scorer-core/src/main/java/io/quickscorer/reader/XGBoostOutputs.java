// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.reader.common.Outputs;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayList;
import java.util.List;

/**
 * The outputs of an XGBoost model: classes, targets or quantiles. Each tree belongs to one output.
 */
final class XGBoostOutputs extends Outputs {
  /** Name of the attribute in which XGBoost stores the best iteration of early stopping. */
  static final String BEST = "best_iteration";

  /**
   * Name of an objective that can have several outputs. XGBoost adds each output except the first
   * to the previous output.
   */
  private static final String EXPECTILES = "reg:expectileerror";

  private final IntList groups = new IntList();
  private int classes;
  private int targets;
  private long offset;
  private long groupsOffset = -1;
  private String best = "";

  XGBoostOutputs(ReadOptions options) {
    super(options);
  }

  void classes(int classes, long at) {
    this.classes = classes;
    offset = classes > 1 ? at : offset;
  }

  void targets(int targets, long at) {
    this.targets = targets;
    offset = targets > 1 ? at : offset;
  }

  /** Returns the list to which the reader adds, for each tree, the number of the tree's output. */
  IntList groups() {
    return groups;
  }

  /** Sets the byte offset, in the file, of the list that assigns trees to outputs. */
  void groupsAt(long at) {
    groupsOffset = at;
  }

  /** Returns the number of trees in the list that assigns trees to outputs; -1 without a list. */
  int assigned() {
    return groupsOffset < 0 ? -1 : groups.size();
  }

  /** Sets the best iteration of early stopping, the value of the attribute {@link #BEST}. */
  void best(String iteration) {
    best = iteration;
  }

  /**
   * Determines the output to score, after the file was read.
   *
   * @param objective the objective as the file spells it
   * @param objectiveOffset the byte offset of the objective
   * @throws InvalidModelException if the requested output does not exist, if several outputs exist
   *     and none was requested, or if a tree belongs to an output that does not exist
   */
  void settle(String objective, XGBoostObjective known, long objectiveOffset) {
    int count = Math.max(1, Math.max(classes, targets));
    String description = (classes > 1 ? "num_class " : "num_target ") + count + ", " + objective;
    if (count == 1 && known == XGBoostObjective.MULTICLASS) {
      throw InvalidModelException.at(
          objectiveOffset,
          objective + ": the objective is multi-class, but num_class is " + classes);
    }
    choose(count, description, offset);
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

  /** Returns whether a tree belongs to the output that is scored. */
  boolean takes(int tree) {
    return count() == 1 || groups.get(tree) == chosen();
  }

  /**
   * Returns notes for the user about the scored output, and about iterations after the best one.
   * XGBoost's scikit-learn classes ignore these later iterations, but boosters and this library use
   * them.
   *
   * @param iterations the number of iterations in the file
   */
  List<String> notes(XGBoostObjective known, int iterations) {
    List<String> notes = new ArrayList<>(notes(known == XGBoostObjective.MULTICLASS));
    int used;
    try {
      used = Math.addExact(Integer.parseInt(best), 1);
    } catch (NumberFormatException | ArithmeticException e) {
      return notes;
    }
    if (used >= 1 && used < iterations) {
      notes.add(
          "according to early stopping, iteration "
              + best
              + " is the best: scikit-learn classes such as XGBRanker predict with the first "
              + used
              + " of "
              + iterations
              + " iterations, but scores here use all iterations, as Booster.predict does; for the"
              + " predictions of these classes, save the model by booster[:"
              + used
              + "].save_model(…)");
    }
    return notes;
  }
}
