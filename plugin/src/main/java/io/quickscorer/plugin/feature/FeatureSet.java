// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.SearchSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * An ordered list of features, as a user defined it. Immutable.
 *
 * @param name the set's name
 * @param features 1 to {@link #MAX_FEATURES} features with unique names
 * @param defaultParams values of the parameters that a request leaves out
 */
public record FeatureSet(
    String name, List<FeatureDefinition> features, Map<String, Object> defaultParams)
    implements ToXContentObject {
  /** Name of a JSON field in responses: whether the set runs scripts. It is ignored in requests. */
  public static final String USES_SCRIPTS = "uses_scripts";

  /** Maximum number of features in one set. */
  public static final int MAX_FEATURES = 2_000;

  /** Maximum size of a stored set in bytes, in the format CBOR (binary JSON). */
  public static final int MAX_BYTES = 4 << 20;

  /**
   * Creates a feature set.
   *
   * @throws IllegalArgumentException if the number of features is wrong, or two features have the
   *     same name; or if a feature reads itself (directly or through others), a missing feature, or
   *     a feature that is scaled relative to the other hits
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
        StepLimit.step();
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
                  + "], because features with [normalize] window are computed last");
        }
      }
      inputs.add(feature.inputs().stream().mapToInt(places::get).toArray());
    }
    try {
      order(inputs, f -> features.get(f).name());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("feature set [" + name + "]: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the indices of all features in an order in which each comes after the features that it
   * reads. Not recursive, because a chain of features can be as long as the set.
   *
   * @param inputs {@code inputs.get(f)} contains the indices of the features that feature f reads
   * @param name returns a feature's name by its index, for messages
   * @throws IllegalArgumentException naming the features of a cycle
   */
  public static int[] order(List<int[]> inputs, IntFunction<String> name) {
    int size = inputs.size();
    int[] order = new int[size];
    int[] stack = new int[size];
    int[] nextInput = new int[size];
    boolean[] done = new boolean[size];
    boolean[] open = new boolean[size];
    int ordered = 0;
    for (int root = 0; root < size; root++) {
      if (done[root]) {
        continue;
      }
      int depth = 0;
      stack[depth++] = root;
      open[root] = true;
      while (depth > 0) {
        StepLimit.step();
        int feature = stack[depth - 1];
        if (nextInput[feature] == inputs.get(feature).length) {
          depth--;
          open[feature] = false;
          done[feature] = true;
          order[ordered++] = feature;
          continue;
        }
        int input = inputs.get(feature)[nextInput[feature]++];
        if (open[input]) {
          throw cycle(Arrays.copyOf(stack, depth), input, name);
        }
        if (!done[input]) {
          stack[depth++] = input;
          open[input] = true;
        }
      }
    }
    return order;
  }

  private static IllegalArgumentException cycle(int[] path, int input, IntFunction<String> name) {
    StringJoiner names = new StringJoiner("] reads [", "feature [", "]");
    boolean inCycle = false;
    for (int feature : path) {
      inCycle |= feature == input;
      if (inCycle) {
        names.add(name.apply(feature));
      }
    }
    names.add(name.apply(input));
    return new IllegalArgumentException(names + ": a feature can't depend on itself");
  }

  /**
   * Checks the number of features of a set.
   *
   * @param features the number of features that the set would have
   * @throws IllegalArgumentException if the number is not 1 to {@link #MAX_FEATURES}
   */
  public static void checkCount(String name, int features) {
    if (features < 1 || features > MAX_FEATURES) {
      throw new IllegalArgumentException(
          "feature set [" + name + "]: " + features + " features, expected 1 to " + MAX_FEATURES);
    }
  }

  /** Returns whether any feature runs a script. */
  public boolean usesScripts() {
    return features.stream().anyMatch(FeatureDefinition::usesScript);
  }

  /**
   * Checks that this node allows scripts, if any feature of the set runs one.
   *
   * @param limits the node's settings
   * @throws IllegalArgumentException (400) that names the first feature with a script
   */
  public void checkScripts(SearchSettings limits) {
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
   * Parses a feature set that a user wrote in JSON: {@code {"features": [...], "default_params":
   * {...}}}. This JSON object may also be inside of another one, as its field {@code featureset}.
   *
   * @param name the set's name, which the JSON may leave out
   * @throws IllegalArgumentException naming the feature that is wrong
   */
  public static FeatureSet read(String name, Input in) throws IOException {
    return of(name, in.map(), in::charge);
  }

  /**
   * Creates a feature set from the fields of its JSON object.
   *
   * @param memory called with the estimated heap bytes of created objects; it throws an exception
   *     to limit them
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

  /** Writes the set's name, and the JSON object that {@link #read(String, Input)} parses. */
  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return fields(builder.startObject()).endObject();
  }

  /** Writes the set's JSON for users, with {@link #USES_SCRIPTS} if a feature runs a script. */
  public XContentBuilder show(XContentBuilder builder) throws IOException {
    fields(builder.startObject());
    if (usesScripts()) {
      builder.field(USES_SCRIPTS, true);
    }
    return builder.endObject();
  }

  /** Returns the set as JSON. */
  public BytesReference json() {
    // One byte of CBOR becomes at most six bytes of JSON, for a control character.
    int max = Math.multiplyExact(6, MAX_BYTES);
    return BoundedContent.json(max, builder -> toXContent(builder, ToXContent.EMPTY_PARAMS));
  }

  private XContentBuilder fields(XContentBuilder builder) throws IOException {
    return builder
        .field("name", name)
        .field("features", features)
        .field("default_params", defaultParams);
  }
}
