// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.FeatureRows;
import io.quickscorer.train.data.LogOrigin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Finds features with the same value in all rows. If the feature should depend on the document, its
 * definition is usually wrong.
 */
final class ConstantFeatures {
  /** Types of features that depend only on the request: equal values in all rows are correct. */
  private static final Set<String> OF_REQUEST = Set.of("param", "expression");

  private ConstantFeatures() {}

  /**
   * Prints a sentence for each feature with the same value in all rows.
   *
   * @throws Failure if there is such a feature, unless {@code allowed} is true
   */
  static void check(Path file, FeatureLog log, List<FeatureRows.Hits> hits, boolean allowed)
      throws Failure {
    Map<String, String> alike = FeatureRows.alike(hits, log.names());
    List<String> said = List.copyOf(alike.values());
    for (JsonNode feature : log.origin().path(LogOrigin.FEATURES)) {
      if (OF_REQUEST.contains(feature.path("type").asString(""))) {
        alike.remove(feature.path("name").asString(""));
      }
    }
    if (!alike.isEmpty() && !allowed) {
      throw Failure.usage(
          file
              + ": "
              + String.join("; ", alike.values())
              + ", which usually means a wrong field. PUT /_plugins/_quickscorer/feature_sets/"
              + log.origin().path("feature_set").asString("NAME")
              + "?index="
              + log.origin().path("index").asString("INDEX")
              + " warns of fields that the index lacks. Correct the feature there, or remove it; or"
              + " train anyway with --allow-constant");
    }
    said.forEach(sentence -> System.out.println("    " + sentence));
  }
}
