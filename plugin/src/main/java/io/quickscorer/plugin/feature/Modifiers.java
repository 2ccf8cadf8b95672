// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The functions that change a feature's value (normalizers), and the replacement of a missing
 * value. The normalizers are applied in the order of the list. If the result is NaN or infinite,
 * the value is missing. Immutable.
 *
 * @param missing the final value for a document whose value is missing: NaN or a finite number
 */
public record Modifiers(List<Normalizer> normalizers, float missing) implements WireRecord {
  private static final int MAX_NORMALIZERS = 8;

  /** No modifiers: values are unchanged, and a missing value is NaN. */
  public static final Modifiers NONE = new Modifiers(List.of(), Float.NaN);

  public Modifiers {
    normalizers = List.copyOf(normalizers);
  }

  public static Modifiers parse(Options options) {
    List<Normalizer> normalizers = new ArrayList<>();
    Object normalize = options.take("normalize");
    if (normalize instanceof List<?> list) {
      if (list.size() > MAX_NORMALIZERS) {
        throw new IllegalArgumentException(
            "[normalize] has " + list.size() + " entries, expected at most " + MAX_NORMALIZERS);
      }
      list.forEach(item -> normalizers.add(Normalizer.parse(item == null ? "" : item)));
    } else if (normalize != null) {
      normalizers.add(Normalizer.parse(normalize));
    }
    for (int n = 0; n < normalizers.size() - 1; n++) {
      if (normalizers.get(n) instanceof Normalizer.Window) {
        throw new IllegalArgumentException("[normalize]: [window] must be the last entry");
      }
    }
    return new Modifiers(normalizers, missing(options));
  }

  /** Returns the scaling relative to the values of the other hits; null if there is none. */
  public @Nullable WindowScale window() {
    return !normalizers.isEmpty() && normalizers.getLast() instanceof Normalizer.Window window
        ? window.scale()
        : null;
  }

  private static float missing(Options options) {
    if (!options.has("missing")) {
      return Float.NaN;
    }
    Object value = options.take("missing");
    float missing = value instanceof Number number ? number.floatValue() : Float.NaN;
    if (value != null && !value.equals("nan") && !Float.isFinite(missing)) {
      throw new IllegalArgumentException("[missing] must be a finite number or \"nan\"");
    }
    return missing;
  }

  /**
   * Applies the normalizers to one value, and replaces a missing value. A scaling relative to other
   * hits is not applied here, but by {@link WindowScale#apply}.
   *
   * @param value the original value; NaN or infinite if it is missing
   */
  public float apply(double value) {
    double result = value;
    for (int i = 0; i < normalizers.size(); i++) {
      result = normalizers.get(i).apply(result);
    }
    float rounded = (float) result;
    if (Float.isFinite(rounded)) {
      return rounded;
    }
    return window() == null ? missing : Float.NaN;
  }

  /**
   * Applies the normalizers to {@code count} values of an array from index {@code from}, in place,
   * and replaces missing values (NaN).
   */
  public void apply(float[] values, int from, int count) {
    if (normalizers.isEmpty() && Float.isNaN(missing)) {
      return;
    }
    for (int i = from; i < from + count; i++) {
      values[i] = apply(values[i]);
    }
  }

  /**
   * Applies the normalizers to values, replaces missing values, and writes the results to a column
   * as floats.
   *
   * @param values one value per hit
   * @param target the column: the feature's value for each hit
   */
  public void store(double[] values, ShardFeature.Column target) {
    for (int i = 0; i < values.length; i++) {
      target.values()[target.start() + i] = apply(values[i]);
    }
  }

  void toXContent(XContentBuilder builder) throws IOException {
    if (!normalizers.isEmpty()) {
      builder.field("normalize", normalizers);
    }
    if (!Float.isNaN(missing)) {
      builder.field("missing", missing);
    }
  }
}
