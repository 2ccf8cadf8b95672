// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Set;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.script.Script;

/**
 * The definition of one feature of a feature set. Immutable; two definitions are equal if all their
 * parts are equal. The wire format of a definition is its JSON.
 */
public interface FeatureDefinition extends ToXContentObject {
  /** Maximum length of a feature's name, in characters. */
  int MAX_NAME_LENGTH = 256;

  /** Returns the feature's name, unique in its set. */
  String name();

  /** Returns the normalizers of the feature's value, and the replacement of a missing value. */
  Modifiers modifiers();

  /** Returns the name of the feature's kind in JSON, such as {@code query}. */
  String type();

  /** Writes the JSON fields that only features of this kind have. */
  void optionsToXContent(XContentBuilder builder) throws IOException;

  /** Returns the names of the features that must be computed before this one. */
  default Set<String> inputs() {
    return Set.of();
  }

  /** Returns whether the feature runs a script with any parameters. */
  default boolean usesScript() {
    return false;
  }

  /**
   * Returns whether the feature's values are codes of categories: whole numbers without an order.
   */
  default boolean isCategorical() {
    return false;
  }

  /** Reports the fields, queries and scripts that the feature uses; by default none. */
  default void tell(Uses uses) {}

  /**
   * Returns the feature bound to a request's parameters.
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

  /**
   * Receives the fields, queries and scripts of a feature, so that a set can be checked before a
   * request uses it.
   */
  interface Uses {
    /**
     * Receives a field that the feature reads.
     *
     * @param values true if the feature reads doc values, false if it reads indexed terms or points
     */
    default void field(String field, boolean values) {}

    /** Receives the template of a query that the feature uses. */
    void query(QueryTemplate template);

    /** Receives a score script that the feature runs. */
    default void script(Script script) {}
  }
}
