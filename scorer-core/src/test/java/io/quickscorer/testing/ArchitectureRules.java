// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Rules that hold in every module; each module's architecture test checks them on its classes. */
public final class ArchitectureRules {
  /** Files of one package, {@code package-info} not counted: more than that is two packages. */
  public static final int MAX_CLASSES_PER_PACKAGE = 40;

  /** Packages of the library for its users; the others are its own affair. */
  private static final Set<String> EXPORTED =
      Set.of(
          "io.quickscorer.compile",
          "io.quickscorer.ensemble",
          "io.quickscorer.explain",
          "io.quickscorer.matrix",
          "io.quickscorer.reader",
          "io.quickscorer.scorer");

  /** Whose packages are the library's, exported or not. */
  private static final Pattern LIBRARY =
      Pattern.compile(
          "io\\.quickscorer\\.(compile|engine|ensemble|explain|matrix|reader|scorer)(\\..*)?");

  private ArchitectureRules() {}

  /** The main classes of a package and those below it. */
  public static JavaClasses mainClasses(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .withImportOption(location -> !location.contains("-tests.jar"))
        .importPackages(rootPackage);
  }

  /** All rules of this class. */
  public static void check(JavaClasses classes) {
    checkCycles(classes);
    checkPackageSizes(classes);
    checkVectorModule(classes);
    checkStatics(classes);
  }

  /** No cycle between any two packages, whatever their depth. */
  public static void checkCycles(JavaClasses classes) {
    slices().matching("io.quickscorer.(**)").should().beFreeOfCycles().check(classes);
  }

  /** No package of more than {@link #MAX_CLASSES_PER_PACKAGE} files. */
  public static void checkPackageSizes(JavaClasses classes) {
    Map<String, Long> sizes =
        classes.stream()
            .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getPackageName, counting()));
    sizes.forEach(
        (name, size) -> {
          if (size > MAX_CLASSES_PER_PACKAGE) {
            throw new AssertionError(
                name + " has " + size + " files, at most " + MAX_CLASSES_PER_PACKAGE);
          }
        });
  }

  /**
   * At most so many of the types that have a file of their own are public. A type that another
   * package needs the insides of belongs there.
   *
   * @param maxPercent of all types
   */
  public static void checkPublicShare(JavaClasses classes, double maxPercent) {
    List<JavaClass> types =
        classes.stream()
            .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
            .toList();
    long open =
        types.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)).count();
    if (open * 100.0 > maxPercent * types.size()) {
      throw new AssertionError(
          open + " of " + types.size() + " types are public, at most " + maxPercent + " %");
    }
  }

  /** Only classes named {@code Simd...} touch the vector module. */
  public static void checkVectorModule(JavaClasses classes) {
    noClasses()
        .that(
            DescribedPredicate.describe(
                "are not named Simd...",
                type -> !outermost(type).getSimpleName().startsWith("Simd")))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .allowEmptyShould(true)
        .check(classes);
  }

  /** No static field that can be assigned again: what a step needs is a parameter. */
  public static void checkStatics(JavaClasses classes) {
    fields()
        .that()
        .areStatic()
        .should(
            new ArchCondition<JavaField>("be final") {
              @Override
              public void check(JavaField field, ConditionEvents events) {
                boolean ok = field.getModifiers().contains(JavaModifier.FINAL);
                events.add(new SimpleConditionEvent(field, ok, field.getFullName()));
              }
            })
        .allowEmptyShould(true)
        .check(classes);
  }

  /** Fails if a class adds ints of a stream: the sum may overflow, and a size from it is wrong. */
  public static void checkIntSums(JavaClasses classes) {
    noClasses().should().callMethod(IntStream.class, "sum").check(classes);
  }

  /**
   * Of the library a module uses what is exported, and what the library shares with this module.
   *
   * @param shared packages that are not exported
   */
  public static void checkUsesOfLibrary(JavaClasses classes, String... shared) {
    noClasses()
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are the library's own affair",
                type -> isHidden(type) && !Set.of(shared).contains(type.getPackageName())))
        .check(classes);
  }

  /** What is public in an exported package names no type of another one. */
  public static void checkPublicSurface(JavaClasses library) {
    codeUnits()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat(
            DescribedPredicate.describe(
                "are exported",
                type ->
                    EXPORTED.contains(type.getPackageName())
                        && type.getModifiers().contains(JavaModifier.PUBLIC)))
        .should(
            new ArchCondition<JavaCodeUnit>("name exported types") {
              @Override
              public void check(JavaCodeUnit unit, ConditionEvents events) {
                boolean ok =
                    !isHidden(unit.getRawReturnType())
                        && unit.getRawParameterTypes().stream().noneMatch(t -> isHidden(t));
                events.add(new SimpleConditionEvent(unit, ok, unit.getFullName()));
              }
            })
        .check(library);
  }

  private static boolean isHidden(JavaClass type) {
    String name = type.getBaseComponentType().getPackageName();
    return LIBRARY.matcher(name).matches() && !EXPORTED.contains(name);
  }

  /** What parses command lines stays in the command line's packages. */
  public static void checkNoCommandLine(JavaClasses classes) {
    classes()
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "are no command line",
                type ->
                    !type.getPackageName().startsWith("picocli")
                        && !type.getPackageName().startsWith("me.tongfei")))
        .check(classes);
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }
}
