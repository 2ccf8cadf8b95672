// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.AbstractList;
import org.jspecify.annotations.Nullable;

/** Logged values as an answer shows them, null where one is missing; none is kept as an object. */
public final class FeatureValues extends AbstractList<@Nullable Float> {
  private final float[] values;

  /**
   * @param values NaN for missing
   */
  FeatureValues(float[] values) {
    this.values = values;
  }

  /** Returns the values themselves, not a copy; NaN for missing. */
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
