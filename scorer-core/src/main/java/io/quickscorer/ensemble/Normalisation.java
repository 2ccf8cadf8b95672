// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.BitSet;

/**
 * Features divided by their norm, one column each, as ONNX Runtime's Normalizer computes them: in
 * floats, added in the features' order. If the norm is 0, values are unchanged.
 *
 * @param features in the order of the columns; not copied
 */
public record Normalisation(Norm norm, int[] features) implements DerivedColumns.Group {
  /** The norms by which features are divided. */
  public enum Norm {
    /** The largest one; not the largest absolute value. */
    MAX,
    /** The sum of absolute values. */
    L1,
    /** The root of the sum of squares; a column is the root of a quotient of squares. */
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

  /** Replaces a row's values, in the features' order, by the normalised ones. */
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
        // The comparison is false for a missing value, so it never becomes the largest.
        case MAX -> divisor = Float.isNaN(value) ? divisor : Math.max(divisor, value);
        case L1 -> divisor += Math.abs(value);
        case L2 -> divisor += value * value;
      }
    }
    return divisor;
  }
}
