// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The linear functions that a tree's leaves have instead of values (LightGBM's {@code
 * linear_tree}): {@code constant + coefficient * x + ...}, computed in double, in the order of the
 * file. If one of the function's features is missing, the leaf's value is used instead.
 *
 * <p>A feature whose absolute value is at most {@link MissingValue#ZERO_BOUND} counts as 0, as in
 * LightGBM. Immutable.
 */
public final class LinearLeaves {
  private final double[] constants;
  private final int[] starts;
  private final int[] features;
  private final double[] coefficients;

  /**
   * Creates the linear functions of a tree's leaves, which are numbered from left to right.
   *
   * @param constants the constant of each leaf
   * @param starts the index of each leaf's first term, followed by the number of all terms
   * @param features the feature of each term
   * @param coefficients the coefficient of each term
   */
  LinearLeaves(double[] constants, int[] starts, int[] features, double[] coefficients) {
    this.constants = constants;
    this.starts = starts;
    this.features = features;
    this.coefficients = coefficients;
  }

  /** Returns the number of terms in the linear function of a leaf. */
  public int terms(int leaf) {
    return starts[leaf + 1] - starts[leaf];
  }

  public double constant(int leaf) {
    return constants[leaf];
  }

  /** Returns the feature whose value a term of a leaf's function multiplies by a coefficient. */
  public int feature(int leaf, int term) {
    return features[starts[leaf] + term];
  }

  public double coefficient(int leaf, int term) {
    return coefficients[starts[leaf] + term];
  }

  /** Returns the number of terms in the linear functions of all leaves together. */
  public int size() {
    return features.length;
  }

  /**
   * Returns the sum after adding one more term of a leaf's linear function.
   *
   * @param value the value of the term's feature
   */
  public double add(double sum, int leaf, int term, float value) {
    double factor = Math.abs(value) > MissingValue.ZERO_BOUND ? value : 0;
    return sum + coefficient(leaf, term) * factor;
  }
}
