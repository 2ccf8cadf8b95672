// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;

/**
 * The terms of a linear model. Each term is the product of a weight and a feature's value. Some
 * models normalise the value first. The terms are added in their order, with the precision of the
 * ensemble's {@link Accumulator}. Immutable.
 *
 * <p>A normalised value is {@code (value - offset) / divisor} in float. A missing value is replaced
 * by 0 before normalisation, so without normalisation its term adds nothing. With {@link
 * Accumulator#FLOAT}, the weight, the product and the sum are floats; with {@link
 * Accumulator#DOUBLE}, they are doubles.
 */
public final class LinearTerms {
  private final int[] features;
  private final double[] weights;
  private final float[] offsets;
  private final float[] divisors;

  private LinearTerms(int[] features, double[] weights, float[] offsets, float[] divisors) {
    this.features = features;
    this.weights = weights;
    this.offsets = offsets;
    this.divisors = divisors;
  }

  /**
   * Returns the terms of a model that does not normalise values.
   *
   * @param features the features, distinct, in the order in which their terms are added
   * @param weights the weight of each term
   * @throws InvalidModelException if a weight is not finite
   */
  public static LinearTerms of(int[] features, double[] weights) {
    float[] ones = new float[features.length];
    Arrays.fill(ones, 1);
    return normalised(features, weights, new float[features.length], ones);
  }

  /**
   * Returns terms with normalisation; offset 0 and divisor 1 mean no normalisation.
   *
   * @throws InvalidModelException if a number is not finite, or a divisor is not positive
   */
  public static LinearTerms normalised(
      int[] features, double[] weights, float[] offsets, float[] divisors) {
    for (int term = 0; term < features.length; term++) {
      if (!Double.isFinite(weights[term])) {
        throw new InvalidModelException(
            "weight " + term + ": " + weights[term] + ", expected a finite number");
      }
      if (!Float.isFinite(offsets[term])
          || !(divisors[term] > 0)
          || !Float.isFinite(divisors[term])) {
        throw new InvalidModelException(
            "weight "
                + term
                + ": found normaliser (x - "
                + offsets[term]
                + ") / "
                + divisors[term]
                + ", expected finite numbers and a positive divisor");
      }
    }
    return new LinearTerms(features.clone(), weights.clone(), offsets.clone(), divisors.clone());
  }

  public int size() {
    return features.length;
  }

  public int feature(int term) {
    return features[term];
  }

  public double weight(int term) {
    return weights[term];
  }

  /** Returns the number that normalisation subtracts from a term's value. */
  public float offset(int term) {
    return offsets[term];
  }

  /** Returns the divisor of a term's normalisation {@code (value - offset) / divisor}. */
  public float divisor(int term) {
    return divisors[term];
  }

  /**
   * Returns whether the value of a term is normalised. Without normalisation, a missing value adds
   * nothing.
   */
  public boolean isNormalised(int term) {
    return offsets[term] != 0 || divisors[term] != 1;
  }

  /** Returns the normalised value of a term; a missing value is replaced by 0 first. */
  public float normalise(int term, float value) {
    float present = Float.isNaN(value) ? 0 : value;
    return isNormalised(term) ? (present - offsets[term]) / divisors[term] : present;
  }

  /**
   * Returns the sum after adding one more term.
   *
   * @param value the value of the term's feature
   */
  public double add(Accumulator accumulator, double sum, int term, float value) {
    if (Float.isNaN(value) && !isNormalised(term)) {
      return sum;
    }
    float factor = normalise(term, value);
    return accumulator == Accumulator.FLOAT
        ? (float) sum + (float) weights[term] * factor
        : sum + weights[term] * factor;
  }
}
