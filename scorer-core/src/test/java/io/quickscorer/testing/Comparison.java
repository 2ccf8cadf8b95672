// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.testing.Value.Expression;
import java.util.List;
import java.util.Set;

/**
 * A comparison of an int with a bound, by less or greater.
 *
 * @param number the int
 * @param bound what it is compared with
 * @param inclusive whether the bound itself is on the side of the lesser numbers
 */
record Comparison(Expression number, Expression bound, boolean inclusive) {
  /**
   * What a comparison compares: its left side, as C2 has it, or the right one with a constant. One
   * side alone is compared with 0.
   *
   * @param inclusive whether equal sides go with the left one being less
   */
  static Set<Comparison> of(List<Value> sides, boolean inclusive) {
    Expression left = sides.getFirst().expression();
    Expression right =
        sides.size() > 1 ? sides.get(1).expression() : Value.leaf("const 0", false).expression();
    return switch (left.operation()) {
      case "FCMPL", "FCMPG", "DCMPL", "DCMPG" -> Set.of();
      // C2 makes one unsigned comparison of it.
      case "call java/lang/Integer.compareUnsigned", "call java/lang/Long.compareUnsigned" ->
          Set.of();
      case "LCMP" -> {
        // An int widened and compared with a constant is compared as an int.
        Expression widened = left.operands().getFirst();
        yield widened.operation().equals("I2L") && left.operands().get(1).isConstant()
            ? of(widened.operands().getFirst(), left.operands().get(1), inclusive)
            : Set.of();
      }
      default -> of(left, right, inclusive);
    };
  }

  private static Set<Comparison> of(Expression left, Expression right, boolean inclusive) {
    if (!left.isConstant()) {
      return Set.of(new Comparison(left, right, inclusive));
    }
    return right.isConstant() ? Set.of() : Set.of(new Comparison(right, left, !inclusive));
  }

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
