package io.quickscorer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The fences between the packages of the engine. */
final class ArchitectureTest {
  private static final JavaClasses ENGINE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.quickscorer");

  @Test
  void onlyTheVectorPackageTouchesTheVectorModule() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..scorer.vector..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(ENGINE);
  }

  /** What the JIT boxes when it stops inlining between the two, see Specialized. */
  @Test
  void noKernelHandsOnAVector() {
    DescribedPredicate<JavaClass> vector =
        DescribedPredicate.describe(
            "a vector, mask or shuffle",
            type ->
                type.getPackageName().equals("jdk.incubator.vector")
                    && !type.getSimpleName().equals("VectorSpecies"));
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("..scorer.vector..")
        .should()
        .haveRawReturnType(vector)
        .orShould()
        .haveRawParameterTypes(
            DescribedPredicate.describe("vectors", types -> types.stream().anyMatch(vector)))
        .check(ENGINE);
  }

  @Test
  void theModelImportsNothingOfOurs() {
    classes()
        .that()
        .resideInAPackage("..ensemble..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("..ensemble..", "java..", "org.jspecify..")
        .check(ENGINE);
  }

  @Test
  void theMatrixKnowsNoModelAndNoScorer() {
    noClasses()
        .that()
        .resideInAPackage("..matrix..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..ensemble..", "..scorer..", "..reader..")
        .check(ENGINE);
  }

  @Test
  void readersKnowNoScorer() {
    noClasses()
        .that()
        .resideInAPackage("..reader..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..scorer..", "..matrix..")
        .check(ENGINE);
  }

  @Test
  void scorersKnowNoFileFormat() {
    noClasses()
        .that()
        .resideInAPackage("..scorer..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..reader..", "tools.jackson..")
        .check(ENGINE);
  }

  @Test
  void theCoreKnowsNoSearchEngine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.opensearch..", "org.apache.lucene..")
        .check(ENGINE);
  }

  @Test
  void noCycles() {
    slices().matching("io.quickscorer.(*)..").should().beFreeOfCycles().check(ENGINE);
  }
}
