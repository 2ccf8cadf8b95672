// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A value on the stack or in a local variable, as {@link MethodWalk} sees it.
 *
 * @param expression what it was computed from; equal expressions are one value to the JIT
 * @param wide whether it is a long or a double, which take two slots
 * @param decidedBy the comparisons that decided which of several values it is
 */
record Value(Expression expression, boolean wide, Set<Comparison> decidedBy) {
  private static final int MAX_DEPTH = 10;

  /**
   * @param depth of the tree of operands
   */
  record Expression(String operation, List<Expression> operands, int depth) {
    boolean isConstant() {
      return operation.startsWith("const ");
    }

    @Override
    public String toString() {
      return operands.isEmpty() ? operation : operation + operands;
    }
  }

  static Value leaf(String operation, boolean wide) {
    return new Value(new Expression(operation, List.of(), 0), wide, Set.of());
  }

  /** The result of an operation; one that is too deep is a value of its own, named by its place. */
  static Value of(String operation, boolean wide, String place, List<Value> operands) {
    Set<Comparison> decidedBy = new HashSet<>();
    int depth = 1;
    for (Value operand : operands) {
      decidedBy.addAll(operand.decidedBy);
      depth = Math.max(depth, operand.expression.depth + 1);
    }
    List<Expression> expressions = operands.stream().map(Value::expression).toList();
    boolean constant = !operands.isEmpty() && !operation.startsWith("field ");
    for (Expression one : expressions) {
      constant &= one.isConstant();
    }
    Expression expression =
        depth > MAX_DEPTH
            ? new Expression("deep " + place, List.of(), 0)
            : new Expression(constant ? "const " + operation : operation, expressions, depth);
    return new Value(expression, wide, decidedBy);
  }
}
