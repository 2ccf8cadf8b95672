// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rule against JDK-8376400, over bytecode: finds where C2 may fuse two comparisons of one int
 * into an unsigned one whose trap has the state of the first, with its outcome already in it.
 *
 * <p>That takes, in one method: a comparison of an int ({@code <, <=, >, >=} or a switch) whose
 * outcome becomes a value, in an inlined method's result or in a variable; a test of that value;
 * then, without a call in between, another comparison of the same int. Two comparisons that each
 * decide a jump themselves are fused, too, but rightly: their trap begins again before the first.
 *
 * <p>Calls are followed as far as the JIT inlines them; equal expressions over unchanged variables,
 * fields and array elements are one value. What is found may be impossible for other reasons; what
 * is not found may be fused only after transformations that the rule knows nothing of.
 */
public final class FusedComparisons {
  private FusedComparisons() {}

  /**
   * The places in a module's own classes, one line each, without those of methods that are allowed.
   *
   * @param one any class of the module
   * @param allowed methods as "Class.method" without the package; one that is not found is a place,
   *     too
   */
  public static List<String> inModuleOf(Class<?> one, Set<String> allowed) throws Exception {
    Path folder = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> places = new ArrayList<>();
    Set<String> unused = new TreeSet<>(allowed);
    for (String place : in(folder)) {
      String method = place.substring(place.lastIndexOf('/', place.indexOf(':')) + 1);
      if (!allowed.contains(method.substring(0, method.indexOf(':')))) {
        places.add(place);
      }
      unused.remove(method.substring(0, method.indexOf(':')));
    }
    unused.forEach(method -> places.add(method + ": allowed, but nothing is found there"));
    return places;
  }

  /** The places in all classes below a folder, one line each. */
  static List<String> in(Path folder) throws IOException {
    List<ClassModel> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
        classes.add(ClassFile.of().parse(file));
      }
    }
    if (classes.isEmpty()) {
      throw new IOException(folder + ": no classes");
    }
    return in(classes);
  }

  /** The places in these classes, one line each. */
  static List<String> in(List<ClassModel> classes) {
    CallTargets targets = new CallTargets(classes);
    List<String> findings = new ArrayList<>();
    for (ClassModel type : classes) {
      for (MethodModel method : type.methods()) {
        if (method.code().isPresent()) {
          String name = type.thisClass().asInternalName() + "." + method.methodName();
          findings.addAll(MethodWalk.findings(targets, name, method));
        }
      }
    }
    return findings;
  }
}
