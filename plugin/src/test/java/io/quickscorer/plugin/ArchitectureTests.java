// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quickscorer.testing.ArchitectureRules;
import org.opensearch.test.OpenSearchTestCase;

public class ArchitectureTests extends OpenSearchTestCase {
  /** That each rule finds a violation is tested where the rules are. */
  public void testRulesOfAllModules() {
    JavaClasses plugin = ArchitectureRules.mainClasses("io.quickscorer.plugin");
    ArchitectureRules.check(plugin);
    ArchitectureRules.checkIntSums(plugin);
    ArchitectureRules.checkPublicShare(plugin, 45);
    ArchitectureRules.checkUsesOfLibrary(plugin, "io.quickscorer.engine.simd");
  }
}
