// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Set;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * One feature of a feature set: where its value comes from. Immutable, equal if all of it is. On
 * the wire it is what it is in JSON.
 */
public interface FeatureDefinition extends ToXContentObject {
  /** Longest name, in characters. */
  int MAX_NAME_LENGTH = 256;

  /** The feature's name, unique in its set. */
  String name();

  /** Returns the changes of the value. */
  Modifiers modifiers();

  /** The kind's name in JSON. */
  String type();

  /** Writes the kind's own fields. */
  void optionsToXContent(XContentBuilder builder) throws IOException;

  /** Names of the features that must be computed before this one. */
  default Set<String> inputs() {
    return Set.of();
  }

  /** Whether it runs a script, whatever the parameters. */
  default boolean usesScript() {
    return false;
  }

  /** Whether its values are codes of categories: whole numbers without an order. */
  default boolean isCategorical() {
    return false;
  }

  /** Tells what it is made of; nothing by default. */
  default void tell(FeatureUses uses) {}

  /**
   * Puts a request's parameters in.
   *
   * @throws IllegalArgumentException naming the parameter that is absent or wrong
   */
  BoundFeature bind(RequestBinding request) throws IOException;

  @Override
  default XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", name()).field("type", type());
    optionsToXContent(builder);
    modifiers().toXContent(builder, params);
    return builder.endObject();
  }
}
