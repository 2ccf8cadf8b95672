// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.reader.common.Outputs;

/** The outputs of a LightGBM model. Each iteration has one tree for each output. */
final class LightGbmOutputs extends Outputs {
  private int classes = 1;
  private int perIteration;
  private long offset;

  LightGbmOutputs(ReadOptions options) {
    super(options);
  }

  /**
   * Records the number of outputs that a header field of the file contains.
   *
   * @param key the header field: {@code num_class} or {@code num_tree_per_iteration}
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
   * Determines the output to score, after the header was read.
   *
   * @throws InvalidModelException if the header contradicts itself, if the requested output does
   *     not exist, or if several outputs exist and none was requested
   */
  void settle(String objective, long objectiveOffset) {
    if (perIteration != 0 && perIteration != classes) {
      throw InvalidModelException.at(
          offset, "num_class: " + classes + ", but num_tree_per_iteration is " + perIteration);
    }
    if (classes == 1 && LightGbmObjective.isMultiClass(objective)) {
      throw InvalidModelException.at(objectiveOffset, "objective: multi-class, but num_class is 1");
    }
    String name = LightGbmObjective.name(objective);
    choose(classes, "num_class " + classes + (name.isEmpty() ? "" : ", " + name), offset);
  }

  /** Returns whether a tree belongs to the output that is scored. */
  boolean takes(int tree) {
    return tree % classes == chosen();
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
}
