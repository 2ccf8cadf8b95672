// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.common.OutputChoice;
import java.util.List;

/**
 * Which of a model's outputs is read. A leaf of a model of several (classes or targets) has one
 * value for each, one after the other, and so have the biases.
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
   * Notes how many outputs there are.
   *
   * @param found as a part of the file tells it, 1 or more
   * @throws InvalidModelException if other parts told another number, or none is chosen of several
   */
  void found(int found, long offset) {
    if (outputs == UNKNOWN) {
      output = choice.among(found, told(found), offset);
      outputs = found;
    } else if (outputs != found) {
      throw InvalidModelException.at(
          offset, found + " outputs, expected " + outputs + " as in the parts before");
    }
  }

  /** How many there are; 1 if nothing told of more. */
  int count() {
    return Math.max(1, outputs);
  }

  /** Where the first value of one output stands among all. */
  int index() {
    return output;
  }

  /** The output's values of those of all. */
  double[] of(double[] values) {
    double[] own = new double[values.length / count()];
    for (int i = 0; i < own.length; i++) {
      own[i] = values[i * count() + output];
    }
    return own;
  }

  List<String> notes() {
    return OutputChoice.notes(output, count(), told(count()), false);
  }

  private static String told(int outputs) {
    return outputs + " values per leaf";
  }
}
