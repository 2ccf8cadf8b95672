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
 * An input column of the trees: a feature, and the steps that the graph applies to its value, each
 * in the runtime's own arithmetic.
 *
 * @param feature of the model; negative for a column that is computed from several
 * @param steps in their order
 */
record OnnxColumn(int feature, List<Step> steps) {
  /** A function of one number that is monotonic between its breaks. */
  interface Step {
    /** Returns the value for a number or NaN. */
    double apply(double value);

    /** Returns numbers that are pieces of their own between those below and above. */
    default double[] breaks() {
      return new double[0];
    }

    /** Returns whether it leaves all numbers unchanged. */
    default boolean changesMissingAlone() {
      return false;
    }
  }

  /** Maximum category, such that the number above it is a category too. */
  private static final int MAX_CATEGORY = 1 << 30;

  /** Cast to the type of whole numbers; numbers that it cannot hold become its smallest number. */
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

  /** A step that gives 1 for one number, 0 for all others. */
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

  /** Replaces a number, or NaN, by another. */
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
   * Maps numbers, and NaN, to numbers, and all others to one; among equal keys the first counts.
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

  /** Returns columns that are created on access, because a file may claim many with few bytes. */
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

  /** Returns this column after one more step. */
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
   * Returns the whole number that the steps map to 1, and all others to 0, before the steps at the
   * returned place; -1 if there is none, or a set of categories cannot hold it.
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
