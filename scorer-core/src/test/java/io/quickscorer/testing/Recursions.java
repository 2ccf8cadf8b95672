// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
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
 * <p>A lambda or an anonymous object counts as called where it is made, because a listener may be
 * answered at once, on the same thread. A task that another thread runs does not, as it begins on a
 * stack of its own.
 */
public final class Recursions {
  private final Map<String, Set<String>> calls = new HashMap<>();

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> onStack = new HashSet<>();
  private final Set<String> found = new TreeSet<>();

  /**
   * The methods that take a task, and those that wrap one, as "package/Class.method".
   *
   * @param taking another thread runs the task
   * @param wrapping return a task that runs the given one
   */
  public record Handover(Set<String> taking, Set<String> wrapping) {
    public static final Handover NONE = new Handover(Set.of(), Set.of());

    /** Whether the lambda that an instruction makes is a task for another thread. */
    private boolean isTask(List<Instruction> code, int made) {
      for (Instruction then : code.subList(made + 1, code.size())) {
        if (then instanceof InvokeInstruction invoke) {
          String called = invoke.owner().asInternalName() + "." + invoke.name().stringValue();
          if (!wrapping.contains(called)) {
            return taking.contains(called);
          }
        } else if (!(then instanceof LoadInstruction
            || then instanceof FieldInstruction
            || then instanceof ConstantInstruction
            || then instanceof TypeCheckInstruction)) {
          return false;
        }
      }
      return false;
    }
  }

  private Recursions(List<ClassModel> models, Handover handover, boolean counted) {
    CallGraph graph = new CallGraph(models);
    graph
        .methods()
        .forEach((key, method) -> calls.put(key, calls(graph, method, handover, counted)));
  }

  private static Set<String> calls(
      CallGraph graph, MethodModel method, Handover handover, boolean counted) {
    List<Instruction> code = CallGraph.code(method);
    Set<String> targets = new LinkedHashSet<>();
    for (int at = 0; at < code.size(); at++) {
      Instruction each = code.get(at);
      if (!(each instanceof InvokeDynamicInstruction && handover.isTask(code, at))
          && !(counted && each instanceof InvokeInstruction && isCounted(code, at))) {
        targets.addAll(graph.calls(each));
        if (each instanceof InvokeInstruction made && !handover.isTask(code, at)) {
          targets.addAll(graph.methodsOfAnonymous(made));
        }
      }
    }
    return targets;
  }

  /** Whether a call passes a number less one, or null. */
  private static boolean isCounted(List<Instruction> code, int call) {
    for (int at = call - 1; at >= 0; at--) {
      switch (code.get(at)) {
        case OperatorInstruction operator when operator.opcode() == Opcode.ISUB -> {
          return code.get(at - 1) instanceof ConstantInstruction one
              && Integer.valueOf(1).equals(one.constantValue());
        }
        case ConstantInstruction constant when constant.opcode() == Opcode.ACONST_NULL -> {
          return true;
        }
        case LoadInstruction load -> {}
        case FieldInstruction field -> {}
        case ConstantInstruction constant -> {}
        default -> {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * The recursive methods of a module, as "Class.method" without the package. A lambda goes by the
   * name of the method that it is in.
   *
   * @param one any class of the module
   * @param packages those whose methods are told, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, Handover handover, String... packages)
      throws Exception {
    return inModuleOf(one, handover, false, packages);
  }

  /**
   * The recursive methods that do not count down: they are still recursive without those calls that
   * pass a number less one, or null in place of the reason to call again.
   */
  public static Set<String> uncounted(Class<?> one, Handover handover, String... packages)
      throws Exception {
    return inModuleOf(one, handover, true, packages);
  }

  /**
   * The recursive methods that do not count their steps: they are still recursive without the
   * methods that call a step. Their depth may be bounded, but not the number of their calls.
   *
   * @param step the method that counts a step, as "package/Class.method"
   */
  public static Set<String> unmetered(
      Class<?> one, Handover handover, String step, String... packages) throws Exception {
    List<ClassModel> models = CallGraph.moduleOf(one);
    Recursions rule = new Recursions(models, handover, false);
    new CallGraph(models)
        .methods()
        .forEach(
            (key, method) -> {
              if (CallGraph.code(method).stream().anyMatch(each -> isCallOf(each, step))) {
                rule.calls.put(key, Set.of());
              }
            });
    return rule.recursive(packages);
  }

  private static boolean isCallOf(Instruction each, String method) {
    return each instanceof InvokeInstruction call
        && method.equals(call.owner().asInternalName() + "." + call.name().stringValue());
  }

  private static Set<String> inModuleOf(
      Class<?> one, Handover handover, boolean counted, String... packages) throws Exception {
    return new Recursions(CallGraph.moduleOf(one), handover, counted).recursive(packages);
  }

  private Set<String> recursive(String... packages) {
    Set<String> told = new TreeSet<>();
    for (String method : recursive()) {
      if (Stream.of(packages).anyMatch(method::startsWith)) {
        told.add(CallGraph.shown(method));
      }
    }
    return told;
  }

  /** The recursive methods of these classes, with their packages. */
  static Set<String> in(List<ClassModel> models, Handover handover, boolean counted) {
    return new Recursions(models, handover, counted).recursive();
  }

  private Set<String> recursive() {
    calls.keySet().stream().sorted().forEach(this::visit);
    Set<String> names = new TreeSet<>();
    found.forEach(key -> names.add(key.substring(0, key.indexOf('('))));
    return names;
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
