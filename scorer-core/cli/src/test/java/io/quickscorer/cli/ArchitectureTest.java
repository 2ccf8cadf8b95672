// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quickscorer.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The rules of all modules, for the command line and the benchmark. */
final class ArchitectureTest {
  @Test
  void rulesOfAllModules() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages("io.quickscorer.cli", "io.quickscorer.bench");
    ArchitectureRules.check(classes);
    ArchitectureRules.checkUsesOfLibrary(classes, "io.quickscorer.engine.simd");
  }
}
