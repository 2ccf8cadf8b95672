// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quickscorer.testing.ArchitectureRules;
import org.junit.jupiter.api.Test;

/** The rules of all modules, for training. */
final class ArchitectureTest {
  @Test
  void rulesOfAllModules() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages("io.quickscorer.train");
    ArchitectureRules.check(classes);
  }
}
