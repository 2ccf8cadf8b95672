// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Set;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.script.Script;

/**
 * The definition of one feature of a feature set, as a user wrote it. Immutable. Two definitions
 * are equal if all their options are equal. Nodes send definitions to each other as JSON.
 */
public interface FeatureDefinition extends ToXContentObject {
  /** Maximum length of a feature's name, in characters. */
  int MAX_NAME_LENGTH = 256;

  /** Returns the feature's name, unique in its set. */
  String name();

  /**
   * Returns the functions that change the feature's value, and the replacement of a missing value.
   */
  Modifiers modifiers();

  /** Returns the name of the feature's kind in JSON, such as {@code query}. */
  default String type() {
    return FeatureKinds.type(getClass());
  }

  /** Writes the fields of the feature's JSON that only this kind of feature has. */
  void optionsToXContent(XContentBuilder builder) throws IOException;

  /** Returns the names of the features that this one reads. */
  default Set<String> inputs() {
    return Set.of();
  }

  /** Returns whether the feature runs a script, even if only for some parameters of a request. */
  default boolean usesScript() {
    return false;
  }

  /**
   * Returns whether the feature's values are codes of categories: whole numbers whose order has no
   * meaning.
   */
  default boolean isCategorical() {
    return false;
  }

  /** Reports the fields, queries and scripts that the feature uses. By default, there are none. */
  default void tell(Uses uses) {}

  /**
   * Returns the feature for one request, with the request's parameters inserted.
   *
   * @throws IllegalArgumentException naming the parameter that is absent or wrong
   */
  BoundFeature bind(RequestBinding request) throws IOException;

  @Override
  default XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", name()).field("type", type());
    optionsToXContent(builder);
    modifiers().toXContent(builder);
    return builder.endObject();
  }

  /**
   * Receives the fields, queries and scripts of a feature, so that they can be checked before the
   * first request.
   */
  @FunctionalInterface
  interface Uses {
    /**
     * Receives the name of a field that the feature reads.
     *
     * @param values true if the feature reads doc values (Lucene's storage of a field's values by
     *     document), false if it reads the search index
     */
    default void field(String field, boolean values) {}

    /** Receives the template (the text with placeholders) of a query that the feature uses. */
    void query(QueryTemplate template);

    /** Receives a score script that the feature runs. */
    default void script(Script script) {}
  }
}
