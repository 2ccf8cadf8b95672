// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.AbstractList;
import org.jspecify.annotations.Nullable;

/**
 * The logged values of a hit in the form that a response contains, with null for a missing value.
 * They are stored as an array of floats.
 */
public final class FeatureValues extends AbstractList<@Nullable Float> {
  private final float[] values;

  /**
   * Creates the list.
   *
   * @param values the values; NaN for a missing value
   */
  FeatureValues(float[] values) {
    this.values = values;
  }

  /** Returns the array itself, not a copy; NaN for a missing value. */
  public float[] values() {
    return values;
  }

  @Override
  public @Nullable Float get(int feature) {
    float value = values[feature];
    return Float.isNaN(value) ? null : value;
  }

  @Override
  public int size() {
    return values.length;
  }
}
