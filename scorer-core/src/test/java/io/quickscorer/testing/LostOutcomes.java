// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * Rules against requests that are never answered and failures that are not reported, over bytecode:
 * on each path through a method, a listener that the method gets must be called or passed on, and a
 * caught exception of a general type must be thrown or passed on; a log is not enough.
 */
public final class LostOutcomes {
  private static final String ALL = "java/lang/Throwable";

  private static final Set<String> GENERAL =
      Set.of(
          ALL,
          "java/lang/Exception",
          "java/lang/RuntimeException",
          "java/lang/Error",
          "java/io/IOException",
          "org/opensearch/OpenSearchException");

  private final List<CodeElement> code;
  private final Map<Label, Integer> labels = new HashMap<>();

  private LostOutcomes(MethodModel method) {
    code = method.code().map(found -> found.elementList()).orElse(List.of());
    for (int at = 0; at < code.size(); at++) {
      if (code.get(at) instanceof LabelTarget target) {
        labels.put(target.label(), at);
      }
    }
  }

  /**
   * Returns the methods in which a path to the end does not use a parameter of a type, as
   * "Class.method" without the package; a lambda counts as the method that it is in.
   *
   * @param one any class of the module
   * @param types the types of parameters
   */
  public static Set<String> unused(Class<?> one, Set<Class<?>> types) throws Exception {
    Set<String> found = new TreeSet<>();
    Set<String> descriptors =
        types.stream().map(Class::descriptorString).collect(Collectors.toSet());
    for (ClassModel model : CallGraph.moduleOf(one)) {
      for (MethodModel method : model.methods()) {
        int slot = method.flags().has(AccessFlag.STATIC) ? 0 : 1;
        for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
          if (descriptors.contains(parameter.descriptorString())
              && new LostOutcomes(method).endsWithout(slot)) {
            found.add(shown(model, method));
          }
          slot += "JD".contains(parameter.descriptorString()) ? 2 : 1;
        }
      }
    }
    return found;
  }

  /** Returns the methods that catch an exception of a general type and do not pass it on. */
  public static Set<String> swallowed(Class<?> one) throws Exception {
    Set<String> found = new TreeSet<>();
    for (ClassModel model : CallGraph.moduleOf(one)) {
      for (MethodModel method : model.methods()) {
        LostOutcomes flow = new LostOutcomes(method);
        for (CodeElement element : flow.code) {
          if (element instanceof ExceptionCatch handler
              && handler.catchType().filter(t -> GENERAL.contains(t.asInternalName())).isPresent()
              && flow.swallows(flow.labels.get(handler.handler()))) {
            found.add(shown(model, method));
          }
        }
      }
    }
    return found;
  }

  private static String shown(ClassModel model, MethodModel method) {
    return CallGraph.shown(
        model.thisClass().asInternalName() + "." + method.methodName().stringValue());
  }

  /** Returns whether the method may end without having loaded a variable. */
  private boolean endsWithout(int slot) {
    return !code.isEmpty() && ends(0, slot, at -> true);
  }

  /**
   * Returns whether the end of the method can be reached from an instruction without a load of a
   * variable. A load that does not count, and all loads after the variable was overwritten, are
   * passed.
   */
  private boolean ends(int start, int slot, IntPredicate counts) {
    BitSet seen = new BitSet();
    Deque<Integer> next = new ArrayDeque<>(List.of(start));
    Set<Integer> overwritten = new HashSet<>();
    while (!next.isEmpty()) {
      int at = next.pop();
      if (seen.get(at)) {
        continue;
      }
      seen.set(at);
      CodeElement element = code.get(at);
      boolean lost = overwritten.contains(at);
      if (!lost
          && element instanceof LoadInstruction load
          && load.slot() == slot
          && counts.test(at)) {
        continue;
      }
      if (element instanceof ReturnInstruction) {
        return true;
      }
      List<Integer> following = following(at, element);
      if (lost || (element instanceof StoreInstruction store && store.slot() == slot)) {
        overwritten.addAll(following);
      }
      following.forEach(next::push);
    }
    return false;
  }

  private List<Integer> following(int at, CodeElement element) {
    List<Integer> next = new ArrayList<>();
    for (CodeElement each : code) {
      if ((element instanceof InvokeInstruction || element instanceof ThrowInstruction)
          && each instanceof ExceptionCatch range
          && at >= labels.get(range.tryStart())
          && at < labels.get(range.tryEnd())) {
        next.add(labels.get(range.handler()));
        if (range.catchType().filter(t -> !t.asInternalName().equals(ALL)).isEmpty()) {
          break;
        }
      }
    }
    follow(at, element, next);
    return next;
  }

  private void follow(int at, CodeElement element, List<Integer> next) {
    switch (element) {
      case BranchInstruction branch -> {
        next.add(labels.get(branch.target()));
        if (branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W) {
          next.add(at + 1);
        }
      }
      case TableSwitchInstruction choice -> follow(choice.defaultTarget(), choice.cases(), next);
      case LookupSwitchInstruction choice -> follow(choice.defaultTarget(), choice.cases(), next);
      case ReturnInstruction end -> {}
      case ThrowInstruction end -> {}
      default -> next.add(at + 1);
    }
  }

  private void follow(Label other, List<SwitchCase> cases, List<Integer> next) {
    next.add(labels.get(other));
    cases.forEach(each -> next.add(labels.get(each.target())));
  }

  /** Returns whether a method may end after a handler that uses an exception for a log at most. */
  private boolean swallows(int handler) {
    int at = handler;
    while (!(code.get(at) instanceof Instruction)) {
      at++;
    }
    int slot = code.get(at) instanceof StoreInstruction caught ? caught.slot() : -1;
    return ends(at + 1, slot, load -> !isLogged(load));
  }

  /** Returns whether the next call after a load takes the loaded value as an argument of a log. */
  private boolean isLogged(int load) {
    for (int at = load + 1; at < code.size(); at++) {
      switch (code.get(at)) {
        case InvokeInstruction call -> {
          String owner = call.owner().asInternalName();
          if (owner.endsWith("/Logger")) {
            return true;
          }
          if (!call.name().equalsString("getMessage") && !call.name().equalsString("valueOf")) {
            return false;
          }
        }
        case InvokeDynamicInstruction made -> {
          return false;
        }
        case FieldInstruction stored -> {
          return false;
        }
        case StoreInstruction stored -> {
          return false;
        }
        case ThrowInstruction thrown -> {
          return false;
        }
        case ReturnInstruction returned -> {
          return false;
        }
        default -> {
          // Other operands of the call.
        }
      }
    }
    return false;
  }
}
