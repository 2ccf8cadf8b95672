// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The methods of a module, by class, name and descriptor, and which of them their instructions
 * call. A virtual call reaches all overriding methods of the module's classes; a lambda or a method
 * reference is called where it is made. Calls through classes of other modules are not followed.
 */
public final class CallGraph {
  private final Map<String, ClassModel> classes = new HashMap<>();
  private final Map<String, List<String>> subclasses = new HashMap<>();
  private final Map<String, MethodModel> methods = new TreeMap<>();

  CallGraph(List<ClassModel> models) {
    for (ClassModel type : models) {
      String name = type.thisClass().asInternalName();
      classes.put(name, type);
      type.superclass().ifPresent(parent -> addSubclass(parent.asInternalName(), name));
      type.interfaces().forEach(parent -> addSubclass(parent.asInternalName(), name));
      for (MethodModel method : type.methods()) {
        methods.put(
            name + "." + method.methodName().stringValue() + method.methodType().stringValue(),
            method);
      }
    }
  }

  /** Returns the classes of the module that a class is in. */
  public static List<ClassModel> moduleOf(Class<?> one) throws Exception {
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
    return models;
  }

  /** A method as "Class.method" without the package; a lambda by the method that it is in. */
  static String shown(String method) {
    String name = method.substring(method.lastIndexOf('/', method.indexOf('.')) + 1);
    int descriptor = name.indexOf('(');
    name = descriptor < 0 ? name : name.substring(0, descriptor);
    return name.replaceAll("lambda\\$(\\w+)\\$\\d+$", "$1");
  }

  /** All methods, sorted. */
  Map<String, MethodModel> methods() {
    return methods;
  }

  private void addSubclass(String parent, String name) {
    subclasses.computeIfAbsent(parent, key -> new ArrayList<>()).add(name);
  }

  /** The instructions of a method, without labels and line numbers. */
  static List<Instruction> code(MethodModel method) {
    List<Instruction> code = new ArrayList<>();
    for (CodeElement element : method.code().map(all -> all.elementList()).orElse(List.of())) {
      if (element instanceof Instruction instruction) {
        code.add(instruction);
      }
    }
    return code;
  }

  /** The methods that a method calls. */
  Set<String> calls(MethodModel method) {
    Set<String> targets = new LinkedHashSet<>();
    method.code().ifPresent(code -> code.forEach(element -> targets.addAll(calls(element))));
    return targets;
  }

  /** The methods that an instruction calls. */
  Set<String> calls(CodeElement element) {
    Set<String> targets = new LinkedHashSet<>();
    switch (element) {
      case InvokeInstruction invoke ->
          add(
              invoke.owner().asInternalName(),
              invoke.name().stringValue() + invoke.type().stringValue(),
              invoke.opcode() == Opcode.INVOKEVIRTUAL || invoke.opcode() == Opcode.INVOKEINTERFACE,
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
    return targets;
  }

  /** The methods of the anonymous class whose constructor an instruction calls. */
  Set<String> methodsOfAnonymous(InvokeInstruction instruction) {
    String type = instruction.owner().asInternalName();
    Set<String> targets = new LinkedHashSet<>();
    if (instruction.name().equalsString("<init>")
        && classes.containsKey(type)
        && type.matches(".*\\$\\d+")) {
      for (MethodModel method : classes.get(type).methods()) {
        targets.add(
            type + "." + method.methodName().stringValue() + method.methodType().stringValue());
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
    return methods.containsKey(type + "." + method);
  }
}
