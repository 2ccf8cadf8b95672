// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The rule against work that grows faster than its input, over bytecode: finds loops with another
 * loop inside, in the same method or in one that it calls, and without a step of a meter.
 *
 * <p>A loop is a branch back, or a method of the JDK's that calls a lambda for each element. Inside
 * one, a search through a list is a loop too, whose rounds a step beside it does not count. A
 * single loop is bounded by the size of its input.
 */
public final class Loops {
  private static final Set<String> SEARCHES =
      Set.of("contains", "indexOf", "lastIndexOf", "containsAll", "removeAll", "retainAll");
  private static final Set<String> EACH =
      Set.of(
          "forEach",
          "anyMatch",
          "allMatch",
          "noneMatch",
          "map",
          "mapToInt",
          "mapToLong",
          "mapToDouble",
          "mapToObj",
          "filter",
          "flatMap",
          "removeIf",
          "replaceAll");

  /** A lambda's arguments are loaded between it and the method that calls it. */
  private static final int LAMBDA_DISTANCE = 6;

  private final Set<String> meters;
  private final Map<String, Code> methods = new TreeMap<>();
  private final Set<String> looping = new HashSet<>();
  private final Set<String> stepping = new HashSet<>();

  /** From an instruction to another, both inside. */
  private record Loop(int from, int to) {
    boolean holds(Loop other) {
      return this != other && from <= other.from && other.to <= to && !equals(other);
    }
  }

  /**
   * A method's loops, and for each of its instructions the methods it calls, and whether it is a
   * step or a search.
   */
  private record Code(
      List<Loop> loops, List<Set<String>> calls, Set<Integer> steps, Set<Integer> searches) {}

  private Loops(List<ClassModel> models, Set<String> meters) {
    this.meters = meters;
    CallGraph graph = new CallGraph(models);
    graph.methods().forEach((key, method) -> methods.put(key, code(graph, method)));
    spread(looping, code -> !code.loops.isEmpty() || !code.searches.isEmpty());
    spread(stepping, code -> !code.steps.isEmpty());
  }

  /**
   * The methods of a module with such a loop, as "Class.method" without the package.
   *
   * @param one any class of the module
   * @param meters methods that take a step, as "package/Class.method"
   * @param packages those whose methods are told, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, Set<String> meters, String... packages)
      throws Exception {
    Set<String> told = new TreeSet<>();
    for (String method : in(CallGraph.moduleOf(one), meters)) {
      if (Stream.of(packages).anyMatch(method::startsWith)) {
        told.add(CallGraph.shown(method));
      }
    }
    return told;
  }

  /** The methods of these classes with such a loop, with their packages. */
  static Set<String> in(List<ClassModel> models, Set<String> meters) {
    Loops rule = new Loops(models, meters);
    Set<String> found = new TreeSet<>();
    rule.methods.forEach(
        (key, code) -> {
          if (code.loops.stream().anyMatch(loop -> rule.isUnmetered(code, loop))) {
            found.add(key);
          }
        });
    return found;
  }

  /** Adds the methods that do something, and all that call them. */
  private void spread(Set<String> doing, Predicate<Code> does) {
    int before;
    do {
      before = doing.size();
      methods.forEach(
          (key, code) -> {
            if (does.test(code)
                || code.calls.stream()
                    .anyMatch(called -> called.stream().anyMatch(doing::contains))) {
              doing.add(key);
            }
          });
    } while (doing.size() > before);
  }

  private boolean isUnmetered(Code code, Loop loop) {
    if (code.searches.stream().anyMatch(at -> loop.from <= at && at <= loop.to)) {
      return true;
    }
    boolean inner = code.loops.stream().anyMatch(loop::holds);
    for (int at = loop.from; at <= loop.to; at++) {
      if (code.steps.contains(at) || code.calls.get(at).stream().anyMatch(stepping::contains)) {
        return false;
      }
      inner |=
          code.searches.contains(at) || code.calls.get(at).stream().anyMatch(looping::contains);
    }
    return inner;
  }

  private Code code(CallGraph graph, MethodModel method) {
    Code code = new Code(new ArrayList<>(), new ArrayList<>(), new HashSet<>(), new HashSet<>());
    List<CodeElement> elements = method.code().map(all -> all.elementList()).orElse(List.of());
    Map<Label, Integer> labels = new HashMap<>();
    int lambda = -LAMBDA_DISTANCE;
    for (int at = 0; at < elements.size(); at++) {
      CodeElement element = elements.get(at);
      code.calls.add(graph.calls(element));
      switch (element) {
        case LabelTarget target -> labels.put(target.label(), at);
        case BranchInstruction branch -> {
          Integer target = labels.get(branch.target());
          if (target != null) {
            code.loops.add(new Loop(target, at));
          }
        }
        case InvokeDynamicInstruction made -> lambda = at;
        case InvokeInstruction invoke -> {
          String owner = invoke.owner().asInternalName();
          String name = invoke.name().stringValue();
          if (meters.contains(owner + "." + name)) {
            code.steps.add(at);
          }
          if (owner.startsWith("java/util/") && EACH.contains(name)) {
            if (at - lambda < LAMBDA_DISTANCE) {
              code.loops.add(new Loop(lambda, at));
            }
          } else if (isSearch(owner, name, invoke.type().stringValue())) {
            code.searches.add(at);
          }
        }
        default -> {}
      }
    }
    return code;
  }

  /** Whether a call looks through, or moves, all elements of a list, or characters of a text. */
  private static boolean isSearch(String owner, String name, String type) {
    boolean list = owner.endsWith("List");
    return ((list || owner.endsWith("/Collection"))
            && (SEARCHES.contains(name) || (name.equals("remove") && type.endsWith(")Z"))))
        || (list && name.equals("add") && type.startsWith("(I"))
        || (list && (name.equals("addFirst") || name.equals("removeFirst")))
        || (owner.equals("java/lang/String") && name.equals("matches"));
  }
}
