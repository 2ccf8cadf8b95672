package io.quickscorer.plugin.rescore;

import java.util.AbstractList;
import org.jspecify.annotations.Nullable;

/** Logged values as an answer shows them, null where one is missing; none is kept as an object. */
final class FeatureValues extends AbstractList<@Nullable Float> {
  private final float[] values;

  /**
   * @param values NaN for missing
   */
  FeatureValues(float[] values) {
    this.values = values;
  }

  /** The values themselves, not a copy; NaN for missing. */
  float[] values() {
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
