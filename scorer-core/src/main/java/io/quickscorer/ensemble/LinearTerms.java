// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;

/**
 * A linear model's terms: each adds a feature's value, normalised if the model says so, times a
 * weight. They are added in their order, by the ensemble's {@link Accumulator}.
 *
 * <p>A normalised value is {@code (value - offset) / divisor} in float. A missing value counts as 0
 * before that, so that a term without a normaliser adds nothing. Under {@link Accumulator#FLOAT}
 * the weight, the product and the sum are floats; under {@link Accumulator#DOUBLE} doubles.
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
   * Returns terms without normalisers.
   *
   * @param features the features' indices, each at most once, in the order of summation
   * @param weights one per feature
   * @throws InvalidModelException if a weight is not finite
   */
  public static LinearTerms of(int[] features, double[] weights) {
    float[] ones = new float[features.length];
    Arrays.fill(ones, 1);
    return normalised(features, weights, new float[features.length], ones);
  }

  /**
   * Returns terms whose values are normalised first; offset 0 and divisor 1 mean no normaliser.
   *
   * @throws InvalidModelException if a number is not finite or a divisor not positive
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
            "weight " + term + ": normaliser (x - " + offsets[term] + ") / " + divisors[term]);
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

  /** Returns the number that normalisation subtracts from the value. */
  public float offset(int term) {
    return offsets[term];
  }

  /** Returns the number that normalisation then divides by. */
  public float divisor(int term) {
    return divisors[term];
  }

  /** Returns whether the term's value is normalised; if not, a missing value adds nothing. */
  public boolean isNormalised(int term) {
    return offsets[term] != 0 || divisors[term] != 1;
  }

  /** Returns the term's normalised value, a missing one counting as 0 before that. */
  public float normalise(int term, float value) {
    float present = Float.isNaN(value) ? 0 : value;
    return isNormalised(term) ? (present - offsets[term]) / divisors[term] : present;
  }

  /** Returns the sum with one more term. */
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
