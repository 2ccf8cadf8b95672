// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * A column of values that the trees of an ONNX graph test: a feature, and the steps that the graph
 * applies to its values. Each step uses the same arithmetic as ONNX Runtime.
 *
 * @param feature the number of the feature; negative for a column that is computed from several
 *     features
 * @param steps the steps, in their order
 */
record OnnxColumn(int feature, List<Step> steps) {
  /**
   * A step of the graph: a function of one number, for example a cast. Between neighbouring numbers
   * in {@link #breaks}, it never decreases or never increases.
   */
  interface Step {
    /** Returns the result of the step for a number or NaN. */
    double apply(double value);

    /**
     * Returns the numbers at which the function may jump. Between neighbouring numbers, the
     * function never decreases or never increases.
     */
    default double[] breaks() {
      return new double[0];
    }

    /** Returns whether NaN is the only value that the step changes. */
    default boolean changesMissingAlone() {
      return false;
    }
  }

  /** Largest result of {@link #category}. Callers also use the result plus 1 as a category. */
  private static final int MAX_CATEGORY = 1 << 30;

  /**
   * The cast to a 64-bit integer. NaN, and numbers outside the range of these integers, become the
   * smallest integer.
   */
  static final Step TRUNCATE =
      new Step() {
        private static final double END = 0x1p63;

        @Override
        public double apply(double value) {
          return Math.abs(value) < END ? (double) (long) value : -END;
        }

        @Override
        public double[] breaks() {
          return new double[] {END};
        }
      };

  /** A step whose result is 1 for one number and 0 for all others. */
  record Is(double wanted) implements Step {
    @Override
    public double apply(double value) {
      return value == wanted ? 1 : 0;
    }

    @Override
    public double[] breaks() {
      return new double[] {wanted};
    }
  }

  /** A step that replaces one number, or NaN, by another number. */
  record Replace(double replaced, double by) implements Step {
    @Override
    public double apply(double value) {
      boolean same = value == replaced || Double.isNaN(value) && Double.isNaN(replaced);
      return same ? by : value;
    }

    @Override
    public double[] breaks() {
      return changesMissingAlone() ? new double[0] : new double[] {replaced};
    }

    @Override
    public boolean changesMissingAlone() {
      return Double.isNaN(replaced);
    }
  }

  private record Lookup(Map<Double, Double> table, double[] breaks, double otherwise)
      implements Step {
    @Override
    public double apply(double value) {
      return table.getOrDefault(value + 0.0, otherwise);
    }
  }

  /**
   * Returns a step that maps each key, which may be NaN, to a value, and all other numbers to
   * {@code otherwise}. If keys are equal, the first is used.
   */
  static Step lookup(double[] keys, double[] values, double otherwise) {
    Map<Double, Double> table = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      table.putIfAbsent(keys[i] + 0.0, values[i]);
    }
    double[] breaks =
        table.keySet().stream().mapToDouble(k -> k).filter(k -> !Double.isNaN(k)).toArray();
    return new Lookup(table, breaks, otherwise);
  }

  /**
   * Returns a list that creates a column on each access, so that the list needs little memory even
   * if a small file defines many columns.
   */
  static List<OnnxColumn> view(int size, IntFunction<OnnxColumn> column) {
    return new AbstractList<>() {
      @Override
      public OnnxColumn get(int index) {
        return column.apply(Objects.checkIndex(index, size));
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  OnnxColumn then(Step step) {
    List<Step> more = new ArrayList<>(steps);
    more.add(step);
    return new OnnxColumn(feature, more);
  }

  double apply(double value) {
    double result = value;
    for (Step step : steps) {
      result = step.apply(result);
    }
    return result;
  }

  /**
   * If the steps truncate the value and then compare it with a number, returns this number. Returns
   * -1 for other steps, and for numbers below 0 or above {@link #MAX_CATEGORY}.
   */
  int category() {
    int at = steps.indexOf(TRUNCATE);
    if (at < 0 || at + 1 >= steps.size() || !(steps.get(at + 1) instanceof Is is)) {
      return -1;
    }
    boolean plain = steps.subList(0, at).stream().allMatch(Step::changesMissingAlone);
    return plain && is.wanted >= 0 && is.wanted <= MAX_CATEGORY ? (int) is.wanted : -1;
  }
}
