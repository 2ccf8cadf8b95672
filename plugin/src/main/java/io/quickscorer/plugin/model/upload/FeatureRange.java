// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelDescription;
import io.quickscorer.reader.ModelFormats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The minimum and maximum of a feature's values in the training data; both are finite. */
public record FeatureRange(double min, double max) {
  /**
   * The start of the line with ranges in LightGBM's file. The line contains {@code [min:max]} or
   * {@code none} for each feature.
   */
  private static final String LIGHTGBM = "\nfeature_infos=";

  /** Maximum number of features with stored ranges, because a response lists all ranges. */
  static final int MAX_FEATURES = 2_000;

  public FeatureRange {
    if (!Double.isFinite(min) || !Double.isFinite(max) || min > max) {
      throw new IllegalArgumentException(
          "[" + min + ", " + max + "]: expected two finite numbers, the smaller first");
    }
  }

  /**
   * Returns the ranges of a model's features by the feature's name. The ranges come from the
   * upload; if it has none, from LightGBM's file; otherwise from the parity rows (rows with
   * expected scores).
   */
  public static Map<String, FeatureRange> of(
      ModelUpload upload, TreeEnsemble ensemble, byte[] file) {
    List<String> names = ensemble.featureNames();
    if (names.size() > MAX_FEATURES) {
      return Map.of();
    }
    if (!upload.featureRanges().isEmpty()) {
      Set<String> known = new HashSet<>(names);
      for (String name : upload.featureRanges().keySet()) {
        if (!known.contains(name)) {
          throw new IllegalArgumentException(
              "feature_ranges: the model has no feature [" + FeatureBinding.shown(name) + "]");
        }
      }
      return upload.featureRanges();
    }
    Map<String, FeatureRange> ranges =
        ensemble.source().format().equals(ModelFormats.LIGHTGBM_TEXT)
            ? ofLightGbm(names, file)
            : Map.of();
    return ranges.isEmpty() && upload.parity() != null
        ? ofRows(names, upload.parity().rows())
        : ranges;
  }

  private static Map<String, FeatureRange> ofLightGbm(List<String> names, byte[] file) {
    // Only the first megabyte is converted: the line is in the header, before the trees.
    String head = new String(file, 0, Math.min(file.length, 1 << 20), StandardCharsets.UTF_8);
    int at = head.indexOf(LIGHTGBM);
    int end = at < 0 ? -1 : head.indexOf('\n', at + 1);
    if (end < 0) {
      return Map.of();
    }
    String[] infos = head.substring(at + LIGHTGBM.length(), end).strip().split(" ");
    Map<String, FeatureRange> ranges = new LinkedHashMap<>();
    for (int f = 0; f < Math.min(infos.length, names.size()); f++) {
      FeatureRange range = ofInfo(infos[f]);
      if (range != null) {
        ranges.put(names.get(f), range);
      }
    }
    return ranges;
  }

  /**
   * Parses the text {@code [min:max]} for one feature in LightGBM's file. Returns null for other
   * texts, such as a list of categories.
   */
  private static @Nullable FeatureRange ofInfo(String info) {
    int colon = info.indexOf(':');
    if (!info.startsWith("[") || !info.endsWith("]") || colon < 0) {
      return null;
    }
    try {
      return new FeatureRange(
          Double.parseDouble(info.substring(1, colon)),
          Double.parseDouble(info.substring(colon + 1, info.length() - 1)));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Map<String, FeatureRange> ofRows(List<String> names, List<float[]> rows) {
    Map<String, FeatureRange> ranges = new LinkedHashMap<>();
    for (int f = 0; f < names.size(); f++) {
      double min = Double.POSITIVE_INFINITY;
      double max = Double.NEGATIVE_INFINITY;
      for (float[] row : rows) {
        StepLimit.step();
        if (Float.isFinite(row[f])) {
          min = Math.min(min, row[f]);
          max = Math.max(max, row[f]);
        }
      }
      if (min <= max) {
        ranges.put(names.get(f), new FeatureRange(min, max));
      }
    }
    return ranges;
  }

  /** Reads the ranges of features from a JSON object: {@code {"feature": [min, max], …}}. */
  static Map<String, FeatureRange> read(Input in) throws IOException {
    Map<String, FeatureRange> ranges = new LinkedHashMap<>();
    in.object(
        MAX_FEATURES,
        name -> {
          double[] ends = in.doubles(MAX_FEATURES);
          if (ends.length != 2) {
            throw in.wrong("expected an array of two numbers, [min, max]");
          }
          ranges.put(name, new FeatureRange(ends[0], ends[1]));
        });
    return ranges;
  }

  /** Converts ranges to the form in a model's metadata: {@code {"feature": [min, max]}}. */
  public static Map<String, Object> toMap(Map<String, FeatureRange> ranges) {
    Map<String, Object> map = new LinkedHashMap<>();
    ranges.forEach((name, range) -> map.put(name, List.of(range.min, range.max)));
    return map;
  }

  /**
   * Reads the ranges from a model's metadata, as {@link #toMap} wrote them; returns an empty map if
   * there are none.
   */
  public static Map<String, FeatureRange> of(Map<String, Object> metadata) {
    Map<String, FeatureRange> ranges = new LinkedHashMap<>();
    if (metadata.get(ModelDescription.FEATURE_RANGES) instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> {
            if (value instanceof List<?> ends
                && ends.size() == 2
                && ends.get(0) instanceof Number min
                && ends.get(1) instanceof Number max) {
              ranges.put(
                  String.valueOf(name), new FeatureRange(min.doubleValue(), max.doubleValue()));
            }
          });
    }
    return ranges;
  }
}
