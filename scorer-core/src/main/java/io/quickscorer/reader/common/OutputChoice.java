// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.InvalidModelException;
import java.util.List;
import java.util.OptionalInt;

/**
 * Which output of a model of several (classes, targets, quantiles) is scored. An ensemble has one
 * output; without a choice models of several are refused.
 *
 * @param wanted the output asked for, from 0, if any was
 */
public record OutputChoice(OptionalInt wanted) {
  /**
   * The output to score.
   *
   * @param outputs how many the model has, 1 or more
   * @param told what the file says of its outputs, for messages, e.g. {@code num_class 3}
   * @param offset where it says so
   * @throws InvalidModelException if there are several and none was asked for, or one that is not
   *     there
   */
  public int among(int outputs, String told, long offset) {
    if (wanted.isEmpty() && outputs > 1) {
      throw InvalidModelException.at(
          offset,
          told
              + ": several outputs; choose one with ?output=K / --output-index K, K from 0 to "
              + (outputs - 1));
    }
    int output = wanted.orElse(0);
    if (output < 0 || output >= outputs) {
      throw InvalidModelException.at(
          offset,
          "output: "
              + output
              + ", expected 0.."
              + (outputs - 1)
              + (outputs == 1 ? ": the model has one output" : " (" + told + ")"));
    }
    return output;
  }

  /** For a file that has one output, or of which nothing tells that there are more. */
  public void onlyOne() {
    among(1, "", 0);
  }

  /**
   * Returns remarks on an output of several.
   *
   * @param joint whether the trainer's prediction is a function of all outputs
   */
  public static List<String> notes(int output, int outputs, String told, boolean joint) {
    if (outputs == 1) {
      return List.of();
    }
    String note = "the score of output " + output + " of " + outputs + " (" + told + ")";
    return List.of(
        joint
            ? note
                + "; the trainer's prediction is a function of all outputs, so the transformed"
                + " output here is the raw score"
            : note);
  }
}
