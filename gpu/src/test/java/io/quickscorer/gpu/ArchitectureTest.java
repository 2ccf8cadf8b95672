// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.quickscorer.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses MODULE = ArchitectureRules.mainClasses("io.quickscorer.gpu");

  /** That each rule finds a violation is tested where the rules are. */
  @Test
  void rulesOfAllModules() {
    ArchitectureRules.checkCycles(MODULE);
    ArchitectureRules.checkPackageSizes(MODULE);
    ArchitectureRules.checkVectorModule(MODULE);
    ArchitectureRules.checkUsesOfLibrary(MODULE, "io.quickscorer.engine.columns");
    // A process has one driver, which is looked for once.
    ArchitectureRules.checkStatics(
        MODULE.that(
            DescribedPredicate.describe(
                "are not the driver's probe", type -> !type.getSimpleName().equals("GpuRuntime"))));
  }

  @Test
  void onlyOnePackageTouchesTheDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.quickscorer.gpu.jcuda")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jcuda..")
        .check(MODULE);
  }
}
