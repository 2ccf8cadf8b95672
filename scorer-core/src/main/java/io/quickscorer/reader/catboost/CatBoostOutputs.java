// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.OutputChoice;
import java.util.List;

/**
 * Chooses the output to score. If a model has several outputs (classes or targets), each leaf has
 * one value per output, one after the other, and there is one bias per output.
 */
final class CatBoostOutputs {
  private static final int UNKNOWN = 0;

  private final OutputChoice choice;
  private int outputs = UNKNOWN;
  private int output;

  CatBoostOutputs(OutputChoice choice) {
    this.choice = choice;
  }

  /**
   * Sets the number of outputs, or checks that it is equal to the number in an earlier call.
   *
   * @param found the number of outputs in a part of the file, 1 or more
   * @throws InvalidModelException if another part of the file has another number, or as {@link
   *     OutputChoice#among} does
   */
  void found(int found, long offset) {
    if (outputs == UNKNOWN) {
      output = choice.among(found, description(found), offset);
      outputs = found;
    } else if (outputs != found) {
      throw InvalidModelException.at(
          offset, "found " + found + " outputs, expected " + outputs + " as in the previous trees");
    }
  }

  /** Returns the number of outputs; 1 if the file contains no number. */
  int count() {
    return Math.max(1, outputs);
  }

  /**
   * Returns the index of the output that is scored, which is the index of its value in each leaf.
   */
  int index() {
    return output;
  }

  /** Selects the values of the output that is scored from the values of all outputs. */
  double[] of(double[] values) {
    double[] own = new double[values.length / count()];
    for (int i = 0; i < own.length; i++) {
      own[i] = values[i * count() + output];
    }
    return own;
  }

  List<String> notes() {
    return OutputChoice.notes(output, count(), description(count()), false);
  }

  private static String description(int outputs) {
    return outputs + " values per leaf";
  }
}
