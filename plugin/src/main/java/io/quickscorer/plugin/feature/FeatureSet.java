// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.feature.template.ScriptUse;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.RequestLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * An ordered list of features, as a user defined it. Immutable.
 *
 * @param name the set's name
 * @param features the features, 1 to {@link #MAX_FEATURES}, their names unique
 * @param defaultParams values for parameters a request leaves out
 */
public record FeatureSet(
    String name, List<FeatureDefinition> features, Map<String, Object> defaultParams)
    implements ToXContentObject {
  /** Marks a set with scripts, where it is shown; of no meaning where it is read. */
  public static final String USES_SCRIPTS = "uses_scripts";

  /** Most features of one set. */
  public static final int MAX_FEATURES = 2_000;

  /** Bytes of a stored set, as CBOR. */
  public static final int MAX_BYTES = 4 << 20;

  /**
   * @throws IllegalArgumentException if there are no features or too many, or a name occurs twice
   */
  public FeatureSet {
    features = List.copyOf(features);
    defaultParams = Collections.unmodifiableMap(new LinkedHashMap<>(defaultParams));
    checkCount(name, features.size());
    Set<String> seen = new HashSet<>();
    for (FeatureDefinition feature : features) {
      if (!seen.add(feature.name())) {
        throw new IllegalArgumentException(
            "feature set [" + name + "]: feature [" + feature.name() + "] is defined twice");
      }
    }
    checkInputs(name, features);
  }

  private static void checkInputs(String name, List<FeatureDefinition> features) {
    Map<String, Integer> places = new HashMap<>();
    features.forEach(feature -> places.put(feature.name(), places.size()));
    List<int[]> inputs = new ArrayList<>();
    for (FeatureDefinition feature : features) {
      for (String input : feature.inputs()) {
        Work.step();
        if (!places.containsKey(input)) {
          throw new IllegalArgumentException(
              "feature set ["
                  + name
                  + "]: feature ["
                  + feature.name()
                  + "]: there is no feature ["
                  + input
                  + "]");
        }
        if (features.get(places.get(input)).modifiers().window() != null) {
          throw new IllegalArgumentException(
              "feature set ["
                  + name
                  + "]: feature ["
                  + feature.name()
                  + "] cannot read feature ["
                  + input
                  + "], because it has [normalize] window and is computed last");
        }
      }
      inputs.add(feature.inputs().stream().mapToInt(places::get).toArray());
    }
    try {
      FeatureOrder.of(inputs, f -> features.get(f).name());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("feature set [" + name + "]: " + e.getMessage(), e);
    }
  }

  /**
   * @param features how many a set of that name would have
   * @throws IllegalArgumentException if these are none or too many
   */
  public static void checkCount(String name, int features) {
    if (features < 1 || features > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "feature set [" + name + "]: " + features + " features, expected 1 to " + MAX_FEATURES);
    }
  }

  /** Returns whether some feature runs a script. */
  public boolean usesScripts() {
    return features.stream().anyMatch(FeatureDefinition::usesScript);
  }

  /**
   * Checks whether its features may run scripts, if some do.
   *
   * @throws IllegalArgumentException (400) that names the first one that may not
   */
  public void checkScripts(RequestLimits limits) {
    for (FeatureDefinition feature : features) {
      if (feature.usesScript()) {
        try {
          ScriptUse.check(limits);
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(
              "feature set [" + name + "]: feature [" + feature.name() + "]: " + e.getMessage(), e);
        }
      }
    }
  }

  /**
   * Reads the object a user writes: {@code {"features": [...], "default_params": {...}}}. The same
   * wrapped in {@code {"featureset": ...}} is read too.
   *
   * @param name the set's name, which the text need not repeat
   * @throws IllegalArgumentException naming the feature that is wrong
   */
  public static FeatureSet read(String name, Input in) throws IOException {
    return of(name, in.map(), in::charge);
  }

  /**
   * Reads a set from the fields of the object.
   *
   * @param memory is charged for what is made of them
   */
  public static FeatureSet of(String name, Map<String, Object> fields, LongConsumer memory)
      throws IOException {
    FeatureSetDraft draft = FeatureSetParser.parse(name, fields, memory);
    if (!draft.includes().isEmpty()) {
      throw new IllegalArgumentException(
          "feature set [" + name + "]: [include] is only allowed in a feature set that is stored");
    }
    return draft.complete(Map.of());
  }

  /** Writes what {@link #read(String, Input)} reads, and the name. */
  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return fields(builder.startObject(), params).endObject();
  }

  /** Writes the same for users, with the mark of a set that uses scripts. */
  public XContentBuilder show(XContentBuilder builder, Params params) throws IOException {
    fields(builder.startObject(), params);
    if (usesScripts()) {
      builder.field(USES_SCRIPTS, true);
    }
    return builder.endObject();
  }

  /** Returns the set as JSON. */
  public BytesReference json() {
    // A byte of CBOR is at most six of JSON: a control character.
    int max = Math.multiplyExact(6, MAX_BYTES);
    return BoundedContent.json(max, builder -> toXContent(builder, ToXContent.EMPTY_PARAMS));
  }

  private XContentBuilder fields(XContentBuilder builder, Params params) throws IOException {
    builder.field("name", name).startArray("features");
    for (FeatureDefinition feature : features) {
      feature.toXContent(builder, params);
    }
    return builder.endArray().field("default_params", defaultParams);
  }
}
