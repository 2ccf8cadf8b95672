// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.template.QueryTemplate;
import org.opensearch.script.Script;

/** Receives the parts of a feature, so that a set can be checked before a request uses it. */
public interface FeatureUses {
  /**
   * Called if the feature reads a field.
   *
   * @param values whether it reads doc values, rather than the indexed terms or points
   */
  void field(String field, boolean values);

  /** Called if the feature uses a query made of a template. */
  void query(QueryTemplate template);

  /** Called if the feature runs a score script. */
  void script(Script script);
}
