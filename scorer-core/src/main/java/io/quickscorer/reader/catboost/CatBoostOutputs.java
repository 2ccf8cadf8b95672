// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.OutputChoice;
import java.util.List;

/**
 * Chooses the output to read. In a model of several outputs (classes or targets), a leaf has one
 * value for each, one after the other, and so do the biases.
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
   * Sets the number of outputs.
   *
   * @param found number in a part of the file, 1 or more
   * @throws InvalidModelException if other parts have another number, or there are several and none
   *     is chosen
   */
  void found(int found, long offset) {
    if (outputs == UNKNOWN) {
      output = choice.among(found, description(found), offset);
      outputs = found;
    } else if (outputs != found) {
      throw InvalidModelException.at(
          offset, found + " outputs, expected " + outputs + " as in the trees before");
    }
  }

  /** Returns the number of outputs; 1 if the file states none. */
  int count() {
    return Math.max(1, outputs);
  }

  /** Returns the index of the first value of the chosen output. */
  int index() {
    return output;
  }

  /** Returns the chosen output's values. */
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
