// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.FeatureUses;
import io.quickscorer.plugin.feature.template.QueryTemplate;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines the kinds of features and queries in a feature set. They determine the code that runs
 * for the set.
 */
final class Kinds {
  private static final Pattern QUERY = Pattern.compile("\"(\\w+)\"");

  private Kinds() {}

  static Set<String> of(FeatureSet set) {
    Set<String> kinds = new HashSet<>();
    for (FeatureDefinition feature : set.features()) {
      kinds.add(feature.type());
      feature.tell(
          new FeatureUses() {
            @Override
            public void query(QueryTemplate template) {
              Matcher first = QUERY.matcher(template.source());
              kinds.add(first.find() ? "query " + first.group(1) : "query");
            }
          });
    }
    return kinds;
  }
}
