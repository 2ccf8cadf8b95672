// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The linear functions that a tree's leaves have in place of values (LightGBM's {@code
 * linear_tree}): {@code constant + coefficient * x + ...}, in double, in the file's order. If one
 * of its features is missing, the leaf's value counts instead.
 *
 * <p>A feature whose magnitude is at most {@link MissingValue#ZERO_BOUND} counts as 0, as in
 * LightGBM. Immutable.
 */
public final class LinearLeaves {
  private final double[] constants;
  private final int[] starts;
  private final int[] features;
  private final double[] coefficients;

  /**
   * @param constants per leaf, from the left
   * @param starts per leaf its first term, then the number of all terms
   * @param features per term
   * @param coefficients per term
   */
  LinearLeaves(double[] constants, int[] starts, int[] features, double[] coefficients) {
    this.constants = constants;
    this.starts = starts;
    this.features = features;
    this.coefficients = coefficients;
  }

  /** Returns the number of a leaf's terms. */
  public int terms(int leaf) {
    return starts[leaf + 1] - starts[leaf];
  }

  public double constant(int leaf) {
    return constants[leaf];
  }

  /** Returns the feature of a leaf's term. */
  public int feature(int leaf, int term) {
    return features[starts[leaf] + term];
  }

  public double coefficient(int leaf, int term) {
    return coefficients[starts[leaf] + term];
  }

  /** Returns the number of terms of all leaves. */
  public int size() {
    return features.length;
  }

  /** Returns the sum with one more term. */
  public double add(double sum, int leaf, int term, float value) {
    double factor = Math.abs(value) > MissingValue.ZERO_BOUND ? value : 0;
    return sum + coefficient(leaf, term) * factor;
  }
}
