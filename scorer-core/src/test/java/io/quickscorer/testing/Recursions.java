// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The rule against unbounded recursion, over bytecode: finds the methods of a module that may call
 * themselves again before they return, by the strongly connected components of its call graph.
 */
public final class Recursions {
  private final Map<String, Set<String>> calls = new HashMap<>();

  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final Set<String> onStack = new HashSet<>();
  private final Set<String> found = new TreeSet<>();

  private Recursions(List<ClassModel> models) {
    CallGraph graph = new CallGraph(models);
    graph.methods().forEach((key, method) -> calls.put(key, graph.calls(method)));
  }

  /**
   * The recursive methods of a module, as "Class.method" without the package. A lambda goes by the
   * name of the method that it is in.
   *
   * @param one any class of the module
   * @param packages those whose methods are told, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, String... packages) throws Exception {
    Set<String> told = new TreeSet<>();
    for (String method : in(CallGraph.moduleOf(one))) {
      if (Stream.of(packages).anyMatch(method::startsWith)) {
        told.add(CallGraph.shown(method));
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
