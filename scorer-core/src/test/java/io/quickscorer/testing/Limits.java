// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The registry of a module's limits, which are the numbers whose names contain {@code MAX}, {@code
 * LIMIT} or {@code SHARE}. Other rules rely on limits, so one that is removed or changed must be
 * looked at. The property {@code tests.limits.write} replaces the registry.
 */
public final class Limits {
  /** The message of a failed comparison. */
  public static final String CHANGED =
      "look at each change; if all are right, run the test with -Dtests.limits.write=true";

  private static final Pattern NAME = Pattern.compile("(?:.*_)?(?:MAX|LIMIT|SHARE)(?:_.*)?");

  private Limits() {}

  /** Returns the limits of the module of a class, as "Class.NAME = value" without the packages. */
  public static Set<String> inModuleOf(Class<?> one) throws Exception {
    Set<String> limits = new TreeSet<>();
    for (ClassModel type : CallGraph.moduleOf(one)) {
      for (FieldModel field : type.fields()) {
        String name = field.fieldName().stringValue();
        field
            .findAttribute(Attributes.constantValue())
            .filter(value -> value.constant().constantValue() instanceof Number)
            .filter(value -> NAME.matcher(name).matches())
            .ifPresent(
                value ->
                    limits.add(
                        type.thisClass().asSymbol().displayName()
                            + "."
                            + name
                            + " = "
                            + value.constant().constantValue()));
      }
    }
    return limits;
  }

  /** Returns the limits of a registry, which is written first if the property says so. */
  public static Set<String> registered(Path registry, Set<String> present) throws IOException {
    if (Boolean.getBoolean("tests.limits.write")) {
      Files.write(registry, present);
    }
    return new TreeSet<>(Files.readAllLines(registry));
  }

  /** Returns the lines that only one of two registries has, with a sign for which one. */
  public static Set<String> differences(Set<String> known, Set<String> present) {
    Set<String> lines = new TreeSet<>();
    known.stream().filter(line -> !present.contains(line)).forEach(line -> lines.add("- " + line));
    present.stream().filter(line -> !known.contains(line)).forEach(line -> lines.add("+ " + line));
    return lines;
  }
}
