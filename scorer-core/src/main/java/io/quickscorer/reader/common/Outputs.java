// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ReadOptions;
import java.util.List;
import java.util.OptionalInt;

/**
 * The outputs of a model (classes, targets, quantiles), of which one is scored. If a model has
 * several outputs and the caller chooses none, reading fails.
 */
public class Outputs {
  private final OptionalInt wanted;
  private int count = 1;
  private int chosen;
  private String description = "";

  public Outputs(ReadOptions options) {
    this.wanted = options.output();
  }

  /**
   * Sets the number of outputs, and chooses the output to score.
   *
   * @param outputs the number of the model's outputs, 1 or more
   * @param described the text in the file that defines the outputs, for messages, for example
   *     {@code num_class 3}
   * @param offset the byte offset of that text
   * @throws InvalidModelException if there are several outputs and none was requested, or if the
   *     requested output does not exist
   */
  public final void choose(int outputs, String described, long offset) {
    if (wanted.isEmpty() && outputs > 1) {
      throw InvalidModelException.at(
          offset,
          described
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
              + (outputs == 1 ? ": the model has one output" : " (" + described + ")"));
    }
    count = outputs;
    chosen = output;
    description = described;
  }

  /** Returns the number of the model's outputs. */
  public final int count() {
    return count;
  }

  /** Returns the number of the output that is scored, from 0. */
  public final int chosen() {
    return chosen;
  }

  /**
   * Returns notes for the user about the scored output; empty if the model has one output.
   *
   * @param joint whether the trainer's prediction is a function of all outputs
   */
  public final List<String> notes(boolean joint) {
    if (count == 1) {
      return List.of();
    }
    String note = "the score of output " + chosen + " of " + count + " (" + description + ")";
    return List.of(
        joint
            ? note
                + "; the trainer's prediction is a function of all outputs, so the transformed"
                + " output here is the raw score"
            : note);
  }
}
