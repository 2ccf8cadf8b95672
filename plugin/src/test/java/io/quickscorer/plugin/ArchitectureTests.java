// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.testing.ArchitectureRules;
import org.opensearch.test.OpenSearchTestCase;

public class ArchitectureTests extends OpenSearchTestCase {
  /** That each rule finds a violation is tested where the rules are. */
  public void testRulesOfAllModules() {
    ArchitectureRules.check(ArchitectureRules.mainClasses("io.quickscorer.plugin"));
  }
}
