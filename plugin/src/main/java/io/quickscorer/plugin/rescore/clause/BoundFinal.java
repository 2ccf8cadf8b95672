// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;

/**
 * The {@code final} expression of a clause with one request's parameters put in. Immutable.
 *
 * @param source the expression
 * @param arguments one per variable of the expression, in its order
 */
public record BoundFinal(String source, List<Argument> arguments) implements WireRecord {
  /** Where a variable has its value from. */
  public enum From {
    /** The score that the hit would have without the expression. */
    SCORE,
    MODEL_SCORE,
    FIRST_PASS_SCORE,
    /** A feature of the clause's first group; a field is one too. */
    FEATURE,
    NUMBER
  }

  /**
   * A variable's value.
   *
   * @param place of the feature in the first group; 0 for the others
   * @param number the number; 0 for the others
   */
  public record Argument(From from, int place, double number) implements WireRecord {}

  public BoundFinal {
    arguments = List.copyOf(arguments);
  }
}
