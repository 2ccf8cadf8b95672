// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The registry of a module's protections. A line has a method's calls and instructions that bound,
 * charge, check, count, synchronise, answer or refuse, and the sizes in bytes that it reads, in the
 * order of the bytecode. One in a loop has an asterisk for each loop, and one that a condition may
 * skip has a question mark for each condition. Other rules find a protection that is missing; the
 * registry shows one that is removed, moved or replaced by a weaker one, which must be looked at.
 * The property {@code tests.limits.write} replaces the registry.
 */
public final class Protections {
  private final List<String> found = new ArrayList<>();
  private final Pattern calls;
  private final List<CodeElement> code;

  private Protections(MethodModel method, Pattern calls) {
    this.calls = calls;
    this.code = method.code().map(elements -> elements.elementList()).orElse(List.of());
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      found.add("synchronized");
    }
    boolean constructor = method.methodName().stringValue().startsWith("<");
    int[] loops = new int[code.size()];
    int[] conditions = new int[code.size()];
    nest(loops, conditions);
    for (int at = 0; at < code.size(); at++) {
      int before = found.size();
      read(at, constructor);
      for (int i = before; i < found.size(); i++) {
        found.set(i, found.get(i) + "*".repeat(loops[at]) + "?".repeat(conditions[at]));
      }
    }
  }

  /**
   * Returns the protections of the module of a class, as "Class.method: protection, ...".
   *
   * @param calls the calls that protect, as "owner.name" with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, Pattern calls) throws Exception {
    Map<String, List<String>> methods = new TreeMap<>();
    for (ClassModel type : CallGraph.moduleOf(one)) {
      for (MethodModel method : type.methods()) {
        List<String> found = new Protections(method, calls).found;
        if (!found.isEmpty()) {
          String name = type.thisClass().asInternalName() + "." + method.methodName().stringValue();
          methods.computeIfAbsent(CallGraph.shown(name), shown -> new ArrayList<>()).addAll(found);
        }
      }
    }
    Set<String> lines = new TreeSet<>();
    methods.forEach((method, found) -> lines.add(method + ": " + String.join(", ", found)));
    return lines;
  }

  /** Counts the loops and the conditions that each element is in. */
  private void nest(int[] loops, int[] conditions) {
    Map<Label, Integer> labels = new HashMap<>();
    for (int at = 0; at < code.size(); at++) {
      if (code.get(at) instanceof LabelTarget target) {
        labels.put(target.label(), at);
      }
    }
    for (int at = 0; at < code.size(); at++) {
      if (code.get(at) instanceof BranchInstruction branch) {
        int target = labels.get(branch.target());
        if (target < at) {
          add(loops, target, at);
        } else if (branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W) {
          add(conditions, at + 1, target - 1);
        }
      }
    }
  }

  private static void add(int[] counts, int first, int last) {
    for (int at = first; at <= last; at++) {
      counts[at]++;
    }
  }

  private void read(int at, boolean constructor) {
    switch (code.get(at)) {
      case InvokeInstruction call -> call(call.owner().asInternalName(), call.name().stringValue());
      case InvokeDynamicInstruction made -> {
        for (ConstantDesc argument : made.bootstrapArgs()) {
          if (argument instanceof DirectMethodHandleDesc handle) {
            String owner = handle.owner().descriptorString();
            call(owner.substring(1, owner.length() - 1), handle.methodName());
          }
        }
      }
      case NewObjectInstruction made -> {
        String name = made.className().asSymbol().displayName();
        if (name.endsWith("Exception") && !name.equals("MatchException")) {
          found.add(name);
        }
      }
      case MonitorInstruction monitor when monitor.opcode() == Opcode.MONITORENTER ->
          found.add("monitor");
      case FieldInstruction field when !constructor && isNumber(field) ->
          found.add(field.name().stringValue() + (isSum(at, field) ? " +=" : " ="));
      case FieldInstruction field when isSize(field) -> found.add(field.name().stringValue());
      default -> {
        // Other instructions protect nothing.
      }
    }
  }

  private void call(String owner, String name) {
    if (calls.matcher(owner + "." + name).matches()) {
      found.add(owner.substring(owner.lastIndexOf('/') + 1) + "." + name);
    }
  }

  private static boolean isNumber(FieldInstruction field) {
    return (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC)
        && "IJ".contains(field.type().stringValue());
  }

  private static boolean isSize(FieldInstruction field) {
    return field.opcode() == Opcode.GETFIELD
        && "IJ".contains(field.type().stringValue())
        && field.name().stringValue().matches("bytes|.*Bytes");
  }

  /** Returns whether a store in a field ends a compound assignment, as {@code +=}. */
  private boolean isSum(int store, FieldInstruction field) {
    List<Instruction> before = new ArrayList<>();
    for (int at = store - 1; at >= 0 && !(code.get(at) instanceof BranchInstruction); at--) {
      if (code.get(at) instanceof Instruction instruction) {
        before.add(instruction);
      }
    }
    if (before.isEmpty() || !(before.getFirst() instanceof OperatorInstruction)) {
      return false;
    }
    for (int i = 1; i + 1 < before.size(); i++) {
      if (before.get(i) instanceof FieldInstruction load && load.name().equals(field.name())) {
        return load.opcode() == Opcode.GETSTATIC || before.get(i + 1).opcode() == Opcode.DUP;
      }
    }
    return false;
  }
}
