// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A rule against races, over bytecode: if one method accesses a field while it holds a monitor, all
 * methods do. A private method or a lambda holds a monitor if all its callers do. Constructors,
 * volatile fields, and final fields that are neither arrays nor collections are left out.
 */
public final class UnlockedFields {
  private final CallGraph graph;

  /** The callers of each method; "+" marks a call while a monitor is held. */
  private final Map<String, Set<String>> callers = new HashMap<>();

  private final Map<String, Boolean> held = new HashMap<>();

  private record Access(String method, boolean locked) {
    boolean isConstructor() {
      return method.contains(".<init>") || method.contains(".<clinit>");
    }
  }

  private UnlockedFields(CallGraph graph) {
    this.graph = graph;
  }

  /** Returns the accesses without a monitor in the module of a class, as "Class.method: field". */
  public static Set<String> inModuleOf(Class<?> one) throws Exception {
    List<ClassModel> module = CallGraph.moduleOf(one);
    Set<String> fields = new HashSet<>();
    for (ClassModel type : module) {
      for (FieldModel field : type.fields()) {
        if (mayChange(field)) {
          fields.add(type.thisClass().asInternalName() + "." + field.fieldName().stringValue());
        }
      }
    }
    return new UnlockedFields(new CallGraph(module)).find(fields);
  }

  private static boolean mayChange(FieldModel field) {
    return !field.flags().has(AccessFlag.VOLATILE)
        && (!field.flags().has(AccessFlag.FINAL)
            || field.fieldType().stringValue().matches("Ljava/util/[A-Z]\\w*;|\\[.*"));
  }

  private Set<String> find(Set<String> fields) {
    Map<String, List<Access>> accesses = new HashMap<>();
    graph.methods().forEach((name, method) -> read(name, method, fields, accesses));
    Set<String> found = new TreeSet<>();
    accesses.forEach(
        (field, all) -> {
          if (all.stream().anyMatch(this::isUnderMonitor)) {
            all.stream()
                .filter(access -> !access.isConstructor() && !access.locked)
                .filter(access -> !holdsMonitor(access.method))
                .map(access -> CallGraph.shown(access.method) + ": " + shown(field))
                .forEach(found::add);
          }
        });
    return found;
  }

  private boolean isUnderMonitor(Access access) {
    return !access.isConstructor()
        && (access.locked
            || (holdsMonitor(access.method)
                && callers.getOrDefault(access.method, Set.of()).stream()
                    .anyMatch(caller -> caller.startsWith("+"))));
  }

  private static String shown(String field) {
    return field.substring(field.lastIndexOf('.') + 1);
  }

  private void read(
      String name, MethodModel method, Set<String> fields, Map<String, List<Access>> accesses) {
    List<Instruction> code = CallGraph.code(method);
    boolean locked = method.flags().has(AccessFlag.SYNCHRONIZED);
    for (int i = 0; i < code.size(); i++) {
      Instruction instruction = code.get(i);
      locked |=
          instruction instanceof MonitorInstruction monitor
              && monitor.opcode() == Opcode.MONITORENTER;
      for (String target : graph.calls(instruction)) {
        callers.computeIfAbsent(target, key -> new HashSet<>()).add((locked ? "+" : "-") + name);
      }
      if (instruction instanceof FieldInstruction access) {
        String field = access.owner().asInternalName() + "." + access.name().stringValue();
        if (fields.contains(field) && !isMonitor(code, i)) {
          accesses.computeIfAbsent(field, key -> new ArrayList<>()).add(new Access(name, locked));
        }
      }
    }
  }

  /** Returns whether a field is loaded for {@code synchronized (field)}. */
  private static boolean isMonitor(List<Instruction> code, int load) {
    return load + 3 < code.size()
        && code.get(load + 1).opcode() == Opcode.DUP
        && code.get(load + 3).opcode() == Opcode.MONITORENTER;
  }

  /** Returns whether all callers of a private method, or all places of a lambda, hold a monitor. */
  private boolean holdsMonitor(String name) {
    Boolean known = held.putIfAbsent(name, true);
    if (known != null) {
      return known;
    }
    MethodModel method = graph.methods().get(name);
    Set<String> from = callers.getOrDefault(name, Set.of());
    boolean holds =
        method.flags().has(AccessFlag.SYNCHRONIZED)
            || (method.flags().has(AccessFlag.PRIVATE)
                && !from.isEmpty()
                && from.stream()
                    .allMatch(
                        caller ->
                            caller.startsWith("+")
                                || caller.contains(".<init>")
                                || holdsMonitor(caller.substring(1))));
    held.put(name, holds);
    return holds;
  }
}
