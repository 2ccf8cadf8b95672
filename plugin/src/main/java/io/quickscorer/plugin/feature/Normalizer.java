// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Map;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A function that is applied to a feature's value, in double precision. Logs and expressions get
 * the normalised value, too. Immutable.
 */
sealed interface Normalizer extends WireRecord, ToXContent {
  /** Returns the normalised value, or NaN if {@code value} is NaN. */
  double apply(double value);

  /** Computes {@code (value - min) / (max - min)}. The result can be below 0 or above 1. */
  record MinMax(double min, double max) implements Normalizer {
    static final String TYPE = "min_max";

    public MinMax {
      checkOrder(TYPE, min, max);
    }

    @Override
    public double apply(double value) {
      return (value - min) / (max - min);
    }
  }

  /**
   * Computes {@code (value - mean) / standardDeviation} with a mean and a standard deviation that
   * the user wrote.
   */
  record ZScore(double mean, double standardDeviation) implements Normalizer {
    static final String TYPE = "z_score";

    public ZScore {
      if (!(standardDeviation > 0)) {
        throw new IllegalArgumentException(
            "[z_score]: [standard_deviation] is " + standardDeviation + ", expected more than 0");
      }
    }

    @Override
    public double apply(double value) {
      return (value - mean) / standardDeviation;
    }
  }

  /** Computes {@code ln(1 + value)}; NaN if the value is below -1. */
  record Log1p() implements Normalizer {
    static final String TYPE = "log1p";

    @Override
    public double apply(double value) {
      return Math.log1p(value);
    }
  }

  /** Limits a value to the range from {@code min} to {@code max}. */
  record Clip(double min, double max) implements Normalizer {
    static final String TYPE = "clip";

    public Clip {
      checkOrder(TYPE, min, max);
    }

    @Override
    public double apply(double value) {
      return Math.min(max, Math.max(min, value));
    }
  }

  /**
   * Marks a feature whose values are scaled later, relative to the feature's values for all hits
   * that the model ranks.
   */
  record Window(WindowScale scale) implements Normalizer {
    static final String TYPE = "window";

    @Override
    public double apply(double value) {
      return value;
    }
  }

  private static void checkOrder(String type, double min, double max) {
    if (!(min < max)) {
      throw new IllegalArgumentException(
          "[" + type + "]: [min] is " + min + ", expected less than [max] " + max);
    }
  }

  /**
   * Parses a normalizer that a user wrote: a name, or an object with one name and its options.
   *
   * @throws IllegalArgumentException if the value is neither of these, or an option is wrong
   */
  static Normalizer parse(Object value) {
    if (value.equals(Log1p.TYPE)) {
      return new Log1p();
    }
    if (value instanceof Map<?, ?> map && map.size() == 1) {
      Map.Entry<?, ?> entry = map.entrySet().iterator().next();
      if (entry.getKey().equals(Window.TYPE)) {
        return new Window(
            Options.of("normalize", map).choice(Window.TYPE, WindowScale.class, null));
      }
      Options options = Options.of("normalize", entry.getValue());
      Normalizer normalizer =
          switch (String.valueOf(entry.getKey())) {
            case MinMax.TYPE -> new MinMax(options.number("min"), options.number("max"));
            case ZScore.TYPE ->
                new ZScore(options.number("mean"), options.number("standard_deviation"));
            case Clip.TYPE ->
                new Clip(
                    options.number("min", Double.NEGATIVE_INFINITY),
                    options.number("max", Double.POSITIVE_INFINITY));
            default -> throw unknown();
          };
      options.checkAllRead();
      return normalizer;
    }
    throw unknown();
  }

  private static IllegalArgumentException unknown() {
    return new IllegalArgumentException(
        "[normalize] must be \"log1p\", or one of min_max, z_score, clip and window with its"
            + " options, or a list of these");
  }

  @Override
  default XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    if (this instanceof Log1p) {
      return builder.value(Log1p.TYPE);
    }
    builder.startObject();
    switch (this) {
      case Log1p ignored -> {}
      case Window window -> builder.field(Window.TYPE, EnumNames.of(window.scale));
      case MinMax minMax -> limits(builder, MinMax.TYPE, minMax.min, minMax.max);
      case Clip clip -> limits(builder, Clip.TYPE, clip.min, clip.max);
      case ZScore zScore -> {
        builder.startObject(ZScore.TYPE).field("mean", zScore.mean);
        builder.field("standard_deviation", zScore.standardDeviation).endObject();
      }
    }
    return builder.endObject();
  }

  private static void limits(XContentBuilder builder, String type, double min, double max)
      throws IOException {
    builder.startObject(type);
    if (Double.isFinite(min)) {
      builder.field("min", min);
    }
    if (Double.isFinite(max)) {
      builder.field("max", max);
    }
    builder.endObject();
  }
}
