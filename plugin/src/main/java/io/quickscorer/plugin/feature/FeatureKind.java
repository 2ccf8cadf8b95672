// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.List;

/**
 * A kind of feature, a row in the table of kinds.
 *
 * @param type the kind's name in JSON
 * @param parser reads a definition that a user wrote
 * @param bound the classes of the kind's bound features
 */
record FeatureKind(String type, Parser parser, List<Class<? extends BoundFeature>> bound) {
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
    bound = List.copyOf(bound);
  }
}
