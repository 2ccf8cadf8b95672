// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.InvalidModelException;
import java.util.List;
import java.util.OptionalInt;

/**
 * The choice of the output to score, if a model has several outputs (classes, targets, quantiles).
 * An ensemble has one output; without a choice, reading a model with several outputs fails.
 *
 * @param wanted the number of the requested output, from 0; empty if none was requested
 */
public record OutputChoice(OptionalInt wanted) {
  /**
   * Returns the number of the output that is scored.
   *
   * @param outputs the number of the model's outputs, 1 or more
   * @param description the text in the file that defines the outputs, for messages, for example
   *     {@code num_class 3}
   * @param offset the byte offset of that text
   * @throws InvalidModelException if there are several outputs and none was requested, or if the
   *     requested output does not exist
   */
  public int among(int outputs, String description, long offset) {
    if (wanted.isEmpty() && outputs > 1) {
      throw InvalidModelException.at(
          offset,
          description
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
              + (outputs == 1 ? ": the model has one output" : " (" + description + ")"));
    }
    return output;
  }

  /**
   * Checks that no output other than 0 is requested, for a format that cannot describe several
   * outputs.
   */
  public void onlyOne() {
    among(1, "", 0);
  }

  /**
   * Returns notes for the user about the choice, if the model has several outputs.
   *
   * @param joint whether the trainer's prediction is a function of all outputs
   */
  public static List<String> notes(int output, int outputs, String description, boolean joint) {
    if (outputs == 1) {
      return List.of();
    }
    String note = "the score of output " + output + " of " + outputs + " (" + description + ")";
    return List.of(
        joint
            ? note
                + "; the trainer's prediction is a function of all outputs, so the transformed"
                + " output here is the raw score"
            : note);
  }
}
