// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.model.ReadFields;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;

/** Computes a model's version: a hash of all data that determine the model's scores. */
final class ModelVersion {
  /**
   * Number of bytes of a version; two different models have equal versions with probability 2^-128.
   */
  private static final int BYTES = 16;

  private ModelVersion() {}

  /** Returns the version of a model, in hexadecimal; the order of keys in maps is ignored. */
  public static String of(
      String sha256,
      String format,
      ReadOptions options,
      FeatureSet features,
      Map<String, String> featureMap) {
    Map<String, Object> content = new TreeMap<>();
    content.put("file", sha256);
    content.put("format", format);
    content.putAll(ReadFields.toMap(options));
    content.put("feature_map", featureMap);
    content.put("feature_set", map(features));
    MessageDigest digest = MessageDigests.sha256();
    digest.update(
        BytesReference.toBytes(
            BoundedContent.json(BoundedContent.MAX_OWN, json -> json.value(sorted(content)))));
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }

  private static Map<String, Object> map(FeatureSet features) {
    return Door.ownMap(MediaTypeRegistry.JSON, features.json());
  }

  /**
   * Returns a copy of a JSON value in which the keys of all objects are sorted. Recursive, which is
   * safe because the parser has limited the depth.
   */
  private static @Nullable Object sorted(@Nullable Object value) {
    StepLimit.step();
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, inner) -> sorted.put(String.valueOf(key), sorted(inner)));
        yield sorted;
      }
      case List<?> list -> list.stream().map(ModelVersion::sorted).toList();
      default -> value;
    };
  }
}
