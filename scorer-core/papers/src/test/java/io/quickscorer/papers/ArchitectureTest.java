// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quickscorer.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses MODULE = ArchitectureRules.mainClasses("io.quickscorer.papers");

  /** That each rule finds a violation is tested where the rules are. */
  @Test
  void rulesOfAllModules() {
    ArchitectureRules.check(MODULE);
    ArchitectureRules.checkUsesOfLibrary(
        MODULE,
        "io.quickscorer.engine.bitsliced",
        "io.quickscorer.engine.columns",
        "io.quickscorer.engine.quickscorer",
        "io.quickscorer.engine.simd");
  }

  @Test
  void enginesKnowNoPlan() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..plan..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..plan..")
        .check(MODULE);
  }
}
