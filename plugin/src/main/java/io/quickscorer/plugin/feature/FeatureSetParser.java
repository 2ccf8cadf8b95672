// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses a feature set strictly: an unknown field is an error.
 *
 * @param set the name of the feature set
 * @param memory called with the estimated heap bytes of each query's template
 * @param warnings receives the warnings
 */
record FeatureSetParser(String set, LongConsumer memory, List<String> warnings) {
  private static final int MAX_WARNINGS = 1_000;

  /**
   * Parses the JSON object of a feature set.
   *
   * @param memory called with the estimated heap bytes of each query's template; it throws an
   *     exception to limit them
   */
  static FeatureSetDraft parse(String name, Map<String, Object> body, LongConsumer memory)
      throws IOException {
    return new FeatureSetParser(name, memory, new ArrayList<>()).set(body);
  }

  private FeatureSetDraft set(Map<String, Object> body) throws IOException {
    if (body.get("featureset") instanceof Map<?, ?> wrapped && body.size() == 1) {
      body = Options.object("featureset", wrapped);
    }
    Map<String, Object> rest = new LinkedHashMap<>(body);
    Object written = rest.remove("name");
    if (written != null && !written.equals(set)) {
      throw wrong(
          "[name] in the body is ["
              + written
              + "], expected the name in the path of the request; leave out [name], or correct it");
    }
    rest.remove(FeatureSet.USES_SCRIPTS);
    List<FeatureSetDraft.Include> includes = includes(rest.remove("include"));
    Object own = rest.remove("features");
    if (own == null && !includes.isEmpty()) {
      own = List.of();
    }
    if (!(own instanceof List<?> list)) {
      throw wrong("expected an array [features]");
    }
    Map<String, Object> defaults = Map.of();
    if (rest.containsKey("default_params")) {
      defaults = Options.object("default_params", rest.remove("default_params"));
    }
    if (!rest.isEmpty()) {
      throw wrong("unknown field " + rest.keySet());
    }
    List<FeatureDefinition> features = new ArrayList<>();
    for (Object feature : list) {
      features.add(feature(features.size(), feature));
    }
    return new FeatureSetDraft(set, includes, features, defaults, warnings);
  }

  private List<FeatureSetDraft.Include> includes(@Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list) || list.size() > FeatureSetDraft.MAX_INCLUDES) {
      throw wrong(
          "[include] must be a list of at most " + FeatureSetDraft.MAX_INCLUDES + " objects");
    }
    List<FeatureSetDraft.Include> includes = new ArrayList<>();
    for (Object include : list) {
      try {
        Options options = Options.of("include", include);
        String other = options.string("feature_set");
        List<String> features =
            options.has("features")
                ? options.strings("features", FeatureSetDraft.MAX_PATTERNS)
                : List.of("*");
        options.checkAllRead();
        includes.add(new FeatureSetDraft.Include(other, features));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "feature set ["
                + set
                + "]: [include] number "
                + includes.size()
                + ": "
                + e.getMessage(),
            e);
      }
    }
    return includes;
  }

  private FeatureDefinition feature(int number, Object value) throws IOException {
    Options options = Options.of("features", value);
    if (!(options.take("name") instanceof String name)
        || name.isEmpty()
        || name.length() > FeatureDefinition.MAX_NAME_LENGTH) {
      throw wrong(
          "feature number "
              + number
              + ": expected a [name] of 1 to "
              + FeatureDefinition.MAX_NAME_LENGTH
              + " characters");
    }
    try {
      Object params = options.has("params") ? options.take("params") : List.of();
      FeatureDefinition feature = FeatureKinds.parse(name, options);
      if (feature instanceof QueryFeature query) {
        memory.accept(query.template().heapBytes());
      }
      checkParams(feature, params);
      options.checkAllRead();
      return feature;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "feature set [" + set + "]: feature [" + name + "]: " + e.getMessage(), e);
    }
  }

  /**
   * Adds a warning for each parameter that a feature declares but does not use. The OpenSearch-LTR
   * plugin needs such declarations, this plugin does not.
   */
  private void checkParams(FeatureDefinition feature, @Nullable Object params) {
    if (!(params instanceof List<?> declared)) {
      throw new IllegalArgumentException("[params] must be a list of names");
    }
    if (declared.isEmpty()) {
      return;
    }
    if (!(feature instanceof QueryFeature query)) {
      throw new IllegalArgumentException("unknown field [params]");
    }
    Set<String> used = query.template().parameters();
    for (Object param : declared) {
      if (!(param instanceof String name)) {
        throw new IllegalArgumentException("[params] must be a list of names");
      }
      if (!used.contains(name) && warnings.size() < MAX_WARNINGS) {
        warnings.add(
            "feature ["
                + feature.name()
                + "]: [params] has ["
                + name
                + "], which the feature's query does not use");
      }
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("feature set [" + set + "]: " + what);
  }
}
