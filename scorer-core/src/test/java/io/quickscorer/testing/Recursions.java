// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rule against unbounded recursion, over bytecode: finds the methods of a module that may call
 * themselves again before they return, by the strongly connected components of its call graph.
 *
 * <p>A virtual call reaches all overriding methods of the module's classes; a lambda or a method
 * reference is called where it is made. Calls through classes of other modules are not followed.
 */
public final class Recursions {
  private final Map<String, ClassModel> classes = new HashMap<>();
  private final Map<String, List<String>> subclasses = new HashMap<>();
  private final Map<String, Set<String>> calls = new HashMap<>();

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> onStack = new HashSet<>();
  private final Set<String> found = new TreeSet<>();

  private Recursions(List<ClassModel> models) {
    for (ClassModel type : models) {
      String name = type.thisClass().asInternalName();
      classes.put(name, type);
      type.superclass().ifPresent(parent -> addSubclass(parent.asInternalName(), name));
      type.interfaces().forEach(parent -> addSubclass(parent.asInternalName(), name));
    }
    for (ClassModel type : models) {
      for (MethodModel method : type.methods()) {
        calls.put(key(type, method), callsOf(method));
      }
    }
  }

  /**
   * The recursive methods of a module, as "Class.method" without the package. A lambda goes by the
   * name of the method that it is in.
   *
   * @param one any class of the module
   * @param packages those whose methods are told, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, String... packages) throws Exception {
    Path folder = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<ClassModel> models = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
        models.add(ClassFile.of().parse(file));
      }
    }
    if (models.isEmpty()) {
      throw new IOException(folder + ": no classes");
    }
    Set<String> told = new TreeSet<>();
    for (String method : in(models)) {
      if (Stream.of(packages).anyMatch(method::startsWith)) {
        String name = method.substring(method.lastIndexOf('/', method.indexOf('.')) + 1);
        told.add(name.replaceAll("lambda\\$(\\w+)\\$\\d+$", "$1"));
      }
    }
    return told;
  }

  /** The recursive methods of these classes, with their packages. */
  static Set<String> in(List<ClassModel> models) {
    Recursions graph = new Recursions(models);
    graph.calls.keySet().stream().sorted().forEach(graph::visit);
    Set<String> names = new TreeSet<>();
    graph.found.forEach(key -> names.add(key.substring(0, key.indexOf('('))));
    return names;
  }

  private void addSubclass(String parent, String name) {
    subclasses.computeIfAbsent(parent, key -> new ArrayList<>()).add(name);
  }

  private static String key(ClassModel type, MethodModel method) {
    return type.thisClass().asInternalName()
        + "."
        + method.methodName().stringValue()
        + method.methodType().stringValue();
  }

  private Set<String> callsOf(MethodModel method) {
    Set<String> targets = new LinkedHashSet<>();
    if (method.code().isEmpty()) {
      return targets;
    }
    for (CodeElement element : method.code().get()) {
      switch (element) {
        case InvokeInstruction invoke ->
            add(
                invoke.owner().asInternalName(),
                invoke.name().stringValue() + invoke.type().stringValue(),
                invoke.opcode() == Opcode.INVOKEVIRTUAL
                    || invoke.opcode() == Opcode.INVOKEINTERFACE,
                targets);
        case InvokeDynamicInstruction dynamic -> {
          for (ConstantDesc argument : dynamic.bootstrapArgs()) {
            if (argument instanceof DirectMethodHandleDesc handle) {
              String owner = handle.owner().descriptorString();
              add(
                  owner.substring(1, owner.length() - 1),
                  handle.methodName() + handle.lookupDescriptor(),
                  handle.kind() == DirectMethodHandleDesc.Kind.VIRTUAL
                      || handle.kind() == DirectMethodHandleDesc.Kind.INTERFACE_VIRTUAL,
                  targets);
            }
          }
        }
        default -> {}
      }
    }
    return targets;
  }

  private void add(String owner, String method, boolean virtual, Set<String> targets) {
    String at = owner;
    while (classes.containsKey(at) && !declares(at, method)) {
      at = classes.get(at).superclass().map(parent -> parent.asInternalName()).orElse("");
    }
    if (classes.containsKey(at)) {
      targets.add(at + "." + method);
    }
    if (virtual && classes.containsKey(owner)) {
      addOverriding(owner, method, targets);
    }
  }

  private void addOverriding(String owner, String method, Set<String> targets) {
    for (String sub : subclasses.getOrDefault(owner, List.of())) {
      if (declares(sub, method)) {
        targets.add(sub + "." + method);
      }
      addOverriding(sub, method, targets);
    }
  }

  private boolean declares(String type, String method) {
    return classes.get(type).methods().stream()
        .anyMatch(
            one ->
                (one.methodName().stringValue() + one.methodType().stringValue()).equals(method));
  }

  /** Tarjan's algorithm; its own recursion is as deep as a chain of calls of our code is long. */
  private void visit(String method) {
    if (numbers.containsKey(method)) {
      return;
    }
    numbers.put(method, numbers.size());
    lowest.put(method, numbers.get(method));
    open.push(method);
    onStack.add(method);
    for (String called : calls.getOrDefault(method, Set.of())) {
      if (!numbers.containsKey(called)) {
        visit(called);
        lowest.merge(method, lowest.getOrDefault(called, Integer.MAX_VALUE), Math::min);
      } else if (onStack.contains(called)) {
        lowest.merge(method, numbers.get(called), Math::min);
      }
    }
    if (lowest.get(method).equals(numbers.get(method))) {
      List<String> component = new ArrayList<>();
      String last;
      do {
        last = open.pop();
        onStack.remove(last);
        component.add(last);
      } while (!last.equals(method));
      if (component.size() > 1 || calls.getOrDefault(method, Set.of()).contains(method)) {
        found.addAll(component);
      }
    }
  }
}
