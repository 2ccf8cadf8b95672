// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A kind of feature, a row in the table of kinds.
 *
 * @param type the kind's name in JSON
 * @param parser reads a definition that a user wrote
 * @param wire readers of the kind's bound features, by their names in messages between nodes
 */
record FeatureKind(
    String type, Parser parser, Map<String, Writeable.Reader<? extends BoundFeature>> wire) {
  /** Reads the fields that only features of this kind have. */
  @FunctionalInterface
  public interface Parser {
    /**
     * Reads a definition of a feature of this kind.
     *
     * @param options the fields; the caller refuses fields that this method does not take
     * @throws IllegalArgumentException naming the field that is wrong
     */
    FeatureDefinition parse(String name, Modifiers modifiers, Options options) throws IOException;
  }

  public FeatureKind {
    wire = Map.copyOf(wire);
  }

  /**
   * Creates a kind with one class of bound features, which has the kind's name in messages between
   * nodes.
   */
  public FeatureKind(String type, Parser parser, Writeable.Reader<? extends BoundFeature> reader) {
    this(type, parser, Map.of(type, reader));
  }
}
