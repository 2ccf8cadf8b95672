// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.template.QueryTemplate;
import org.opensearch.script.Script;

/** Is told what a feature is made of, so that a set can be checked before a request uses it. */
public interface FeatureUses {
  /**
   * A field is read.
   *
   * @param values whether its doc values are, rather than what is indexed of it
   */
  void field(String field, boolean values);

  /** A query is made of a template. */
  void query(QueryTemplate template);

  /** A score script is run. */
  void script(Script script);
}
