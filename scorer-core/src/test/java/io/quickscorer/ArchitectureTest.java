// SPDX-License-Identifier: Apache-2.0
package io.quickscorer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import com.tngtech.archunit.lang.syntax.elements.ClassesThat;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.testing.ArchitectureRules;
import io.quickscorer.testing.planted.first.First;
import io.quickscorer.testing.planted.second.Second;
import org.junit.jupiter.api.Test;

/** The fences between the packages of the library. */
final class ArchitectureTest {
  private static final JavaClasses LIBRARY = ArchitectureRules.mainClasses("io.quickscorer");

  private static final JavaClasses PLANTED =
      new ClassFileImporter().importClasses(First.class, Second.class);

  @Test
  void rulesOfAllModules() {
    ArchitectureRules.check(LIBRARY);
  }

  @Test
  void fewTypesArePublic() {
    ArchitectureRules.checkPublicShare(
        LIBRARY.that(resideOutsideOfPackage("io.quickscorer.fixtures")), 45);
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkPublicShare(PLANTED, 45));
  }

  @Test
  void cycleIsFound() {
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkCycles(PLANTED));
  }

  @Test
  void strangerToTheVectorModuleIsFound() {
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkVectorModule(PLANTED));
  }

  @Test
  void mutableStaticIsFound() {
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkStatics(PLANTED));
  }

  @Test
  void sumsOfReadersDoNotOverflow() {
    ArchitectureRules.checkIntSums(LIBRARY.that(resideInAPackage("io.quickscorer.reader..")));
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkIntSums(PLANTED));
  }

  @Test
  void useOfWhatIsNotExportedIsFound() {
    assertThrows(AssertionError.class, () -> ArchitectureRules.checkUsesOfLibrary(PLANTED));
    ArchitectureRules.checkUsesOfLibrary(PLANTED, FloatOrder.class.getPackageName());
  }

  @Test
  void thePublicSurfaceNamesNothingThatIsNotExported() {
    ArchitectureRules.checkPublicSurface(LIBRARY);
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
        .resideInAPackage("..engine..")
        .should()
        .haveRawReturnType(vector)
        .orShould()
        .haveRawParameterTypes(
            DescribedPredicate.describe("vectors", types -> types.stream().anyMatch(vector)))
        .check(LIBRARY);
  }

  @Test
  void theModelImportsNothingOfOurs() {
    classes()
        .that()
        .resideInAPackage("..ensemble..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("..ensemble..", "java..", "org.jspecify..")
        .check(LIBRARY);
  }

  @Test
  void theMatrixKnowsNoModelAndNoScorer() {
    noClassesOf("..matrix..")
        .resideInAnyPackage("..ensemble..", "..scorer..", "..engine..", "..compile..", "..reader..")
        .check(LIBRARY);
  }

  @Test
  void readersKnowNoScorer() {
    noClassesOf("..reader..")
        .resideInAnyPackage("..scorer..", "..engine..", "..compile..", "..matrix..")
        .check(LIBRARY);
  }

  @Test
  void contractsKnowNoEngine() {
    noClassesOf("io.quickscorer.scorer..")
        .resideInAnyPackage("..engine..", "..compile..", "..reader..", "tools.jackson..")
        .check(LIBRARY);
  }

  @Test
  void enginesSeeOnlyContracts() {
    noClassesOf("..engine..")
        .resideInAnyPackage("..compile..", "..reader..", "..explain..")
        .check(LIBRARY);
  }

  @Test
  void theLibraryKnowsNoSearchEngineAndNoCommandLine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.opensearch..", "org.apache.lucene..")
        .check(LIBRARY);
    ArchitectureRules.checkNoCommandLine(LIBRARY);
  }

  private static ClassesThat<ClassesShouldConjunction> noClassesOf(String packages) {
    return noClasses().that().resideInAPackage(packages).should().dependOnClassesThat();
  }
}
