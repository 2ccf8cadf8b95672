// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A kind of feature, as the table of kinds lists it.
 *
 * @param type its name in JSON
 * @param parser reads what a user writes
 * @param wire reads its bound features, by the name that each writes
 */
record FeatureKind(
    String type, Parser parser, Map<String, Writeable.Reader<? extends BoundFeature>> wire) {
  /** Reads a definition's own fields. */
  @FunctionalInterface
  public interface Parser {
    /**
     * @param options the fields; what is not taken is refused afterwards
     * @throws IllegalArgumentException naming the field that is wrong
     */
    FeatureDefinition parse(String name, Modifiers modifiers, Options options) throws IOException;
  }

  public FeatureKind {
    wire = Map.copyOf(wire);
  }

  /** A kind whose features have one bound form of their own, named as the kind is. */
  public FeatureKind(String type, Parser parser, Writeable.Reader<? extends BoundFeature> reader) {
    this(type, parser, Map.of(type, reader));
  }
}
