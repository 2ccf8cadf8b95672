// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.testing.Value.Expression;
import java.lang.classfile.Opcode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@link MethodWalk} knows at one place of a method. */
final class WalkState {
  /** One outcome of a comparison on the way here. */
  record Outcome(String place, int outcome, Set<Comparison> compared) {}

  final Map<Integer, Value> locals = new HashMap<>();
  final List<Value> stack = new ArrayList<>();

  /** How often each field, and arrays of each kind, were written. */
  final Map<String, String> versions = new HashMap<>();

  final Set<Outcome> outcomes = new HashSet<>();

  /** Comparisons that decided a value which was then tested, and the line of the test. */
  final Map<Comparison, Integer> tested = new HashMap<>();

  WalkState copy() {
    WalkState copy = new WalkState();
    copy.locals.putAll(locals);
    copy.stack.addAll(stack);
    copy.versions.putAll(versions);
    copy.outcomes.addAll(outcomes);
    copy.tested.putAll(tested);
    return copy;
  }

  Value pop() {
    return stack.removeLast();
  }

  void pop(int values) {
    for (int i = 0; i < values; i++) {
      pop();
    }
  }

  void push(Value value) {
    stack.add(value);
  }

  /** Does what an instruction does that but moves values. */
  void shuffle(Opcode opcode) {
    int top = stack.size();
    switch (opcode) {
      case POP -> pop();
      case POP2 -> pop(stack.getLast().wide() ? 1 : 2);
      case DUP -> stack.add(stack.getLast());
      case DUP_X1 -> stack.add(top - 2, stack.getLast());
      case DUP_X2 -> stack.add(top - (stack.get(top - 2).wide() ? 2 : 3), stack.getLast());
      case SWAP -> stack.add(top - 2, stack.removeLast());
      default -> {
        // DUP2 and its forms: one wide value, or two.
        int values = stack.getLast().wide() ? 1 : 2;
        List<Value> copied = List.copyOf(stack.subList(top - values, top));
        int slots = opcode == Opcode.DUP2 ? 0 : opcode == Opcode.DUP2_X1 ? 1 : 2;
        int at = top - values;
        for (int skipped = 0; skipped < slots; ) {
          skipped += stack.get(--at).wide() ? 2 : 1;
        }
        stack.addAll(at, copied);
      }
    }
  }

  String version(String memory) {
    return versions.getOrDefault(memory, "");
  }

  /** The state where two ways meet. */
  static WalkState merge(WalkState a, WalkState b, String place) {
    Set<Comparison> decided = new HashSet<>();
    for (Outcome outcome : a.outcomes) {
      decided.addAll(b.outcomes.contains(outcome) ? Set.of() : outcome.compared);
    }
    for (Outcome outcome : b.outcomes) {
      decided.addAll(a.outcomes.contains(outcome) ? Set.of() : outcome.compared);
    }
    WalkState merged = new WalkState();
    for (Map.Entry<Integer, Value> local : a.locals.entrySet()) {
      Value other = b.locals.get(local.getKey());
      if (other != null) {
        String name = place + " local " + local.getKey();
        merged.locals.put(local.getKey(), merge(local.getValue(), other, decided, name));
      }
    }
    for (int i = 0; i < Math.min(a.stack.size(), b.stack.size()); i++) {
      merged.push(merge(a.stack.get(i), b.stack.get(i), decided, place + " stack " + i));
    }
    merged.versions.putAll(a.versions);
    for (Map.Entry<String, String> version : b.versions.entrySet()) {
      if (!version.getValue().equals(a.version(version.getKey()))) {
        merged.versions.put(version.getKey(), place);
      }
    }
    for (String memory : a.versions.keySet()) {
      if (!b.versions.containsKey(memory)) {
        merged.versions.put(memory, place);
      }
    }
    merged.outcomes.addAll(a.outcomes);
    merged.outcomes.retainAll(b.outcomes);
    merged.tested.putAll(b.tested);
    merged.tested.putAll(a.tested);
    return merged;
  }

  private static Value merge(Value a, Value b, Set<Comparison> decided, String place) {
    Set<Comparison> decidedBy = new HashSet<>(a.decidedBy());
    decidedBy.addAll(b.decidedBy());
    if (a.expression().equals(b.expression())) {
      return new Value(a.expression(), a.wide(), decidedBy);
    }
    decidedBy.addAll(decided);
    return new Value(new Expression("merged " + place, List.of(), 0), a.wide(), decidedBy);
  }
}
