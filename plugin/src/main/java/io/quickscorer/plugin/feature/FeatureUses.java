// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.template.QueryTemplate;
import org.opensearch.script.Script;

/**
 * Receives the fields, queries and scripts of a feature, so that a set can be checked before a
 * request uses it.
 */
public interface FeatureUses {
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
