// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.BitSet;

/**
 * Columns that contain features divided by their norm, as ONNX Runtime's Normalizer computes them.
 * The computation is in float, in the order of the features. There is one column per feature. If
 * the norm is 0, the values stay unchanged.
 *
 * @param norm the kind of norm
 * @param features the features in the order of the columns; not copied
 */
public record Normalisation(Norm norm, int[] features) implements DerivedColumns.Group {
  /** The kinds of norms. A norm is the length of a vector; each feature is divided by it. */
  public enum Norm {
    /** The norm is the largest value, not the largest absolute value. */
    MAX,
    /** The norm is the sum of the absolute values. */
    L1,
    /**
     * The norm is the square root of the sum of squares. A column is computed as the root of x² /
     * sum, with the sign of x.
     */
    L2
  }

  @Override
  public int columns() {
    return features.length;
  }

  @Override
  public BitSet inputs() {
    BitSet inputs = new BitSet();
    for (int feature : features) {
      inputs.set(feature);
    }
    return inputs;
  }

  @Override
  public String label() {
    return norm + " norm";
  }

  /**
   * Divides the values of one document by their norm, in place.
   *
   * @param row the document's value of each feature, in the order of {@link #features}
   */
  public void apply(float[] row) {
    float divisor = divisor(row);
    if (divisor == 0) {
      return;
    }
    for (int i = 0; i < row.length; i++) {
      if (norm == Norm.L2) {
        float root = (float) Math.sqrt(row[i] * row[i] / divisor);
        row[i] = row[i] < 0 ? -root : root;
      } else {
        row[i] /= divisor;
      }
    }
  }

  private float divisor(float[] row) {
    float divisor = norm == Norm.MAX ? -Float.MAX_VALUE : 0;
    for (float value : row) {
      switch (norm) {
        // Math.max with a condition, because a missing value must not become the maximum.
        case MAX -> divisor = Float.isNaN(value) ? divisor : Math.max(divisor, value);
        case L1 -> divisor += Math.abs(value);
        case L2 -> divisor += value * value;
      }
    }
    return divisor;
  }
}
