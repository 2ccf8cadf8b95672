package io.quickscorer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The fences between the packages of the engine. */
@AnalyzeClasses(packages = "io.quickscorer", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  @ArchTest
  static final ArchRule onlyTheVectorPackageTouchesTheVectorModule =
      noClasses()
          .that()
          .resideOutsideOfPackage("..scorer.vector..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.incubator.vector..");

  @ArchTest
  static final ArchRule theModelImportsNothingOfOurs =
      classes()
          .that()
          .resideInAPackage("..ensemble..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("..ensemble..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule theMatrixKnowsNoModelAndNoScorer =
      noClasses()
          .that()
          .resideInAPackage("..matrix..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..ensemble..", "..scorer..", "..reader..");

  @ArchTest
  static final ArchRule readersKnowNoScorer =
      noClasses()
          .that()
          .resideInAPackage("..reader..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..scorer..", "..matrix..");

  @ArchTest
  static final ArchRule scorersKnowNoFileFormat =
      noClasses()
          .that()
          .resideInAPackage("..scorer..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("..reader..", "tools.jackson..");

  @ArchTest
  static final ArchRule theCoreKnowsNoSearchEngine =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.opensearch..", "org.apache.lucene..");

  @ArchTest
  static final ArchRule noCycles =
      slices().matching("io.quickscorer.(*)..").should().beFreeOfCycles();
}
