// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.testing.Value.Expression;

/**
 * A comparison of an int with a bound, by less or greater.
 *
 * @param number the int
 * @param bound what it is compared with
 * @param inclusive whether the bound itself is on the side of the lesser numbers
 */
record Comparison(Expression number, Expression bound, boolean inclusive) {

  /** Whether C2 may fuse the two: one number, two bounds that its types can tell apart. */
  boolean fusesWith(Comparison other) {
    return number.equals(other.number)
        && !equals(other)
        && !isAnyInt(bound)
        && !isAnyInt(other.bound);
  }

  /**
   * Whether C2 knows nothing of a value but that it is an int. With such a bound the numbers below
   * one bound and above the other may overlap, and it leaves them alone.
   */
  private static boolean isAnyInt(Expression bound) {
    return switch (bound.operation()) {
      case "INT" -> true;
      case "IADD", "ISUB", "IMUL", "INEG" ->
          bound.operands().stream().anyMatch(Comparison::isAnyInt);
      default -> bound.operation().startsWith("field ");
    };
  }
}
