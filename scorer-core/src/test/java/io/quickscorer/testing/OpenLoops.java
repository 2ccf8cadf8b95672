// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rule against loops whose number of rounds no size bounds, over bytecode. A loop passes if one
 * of its own instructions, outside of inner loops, changes an {@code int} variable by an operator,
 * or calls a method of an object that takes the next element, token or byte. Other loops follow
 * references, count up to a time, or subtract from a number of a request: a cycle or a huge number
 * keeps the thread for ever.
 */
public final class OpenLoops {
  /** Methods that proceed in a structure or a stream. */
  private static final Pattern PROCEEDING =
      Pattern.compile(
          "next.*|read.*|advance.*|poll.*|pop|take|skip.*|remove(First|Last)?|increment.*");

  private OpenLoops() {}

  /**
   * Returns the methods of a module with such a loop, as "Class.method" without the package.
   *
   * @param one any class of the module
   * @param packages those whose methods are returned, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, String... packages) throws Exception {
    Set<String> found = new TreeSet<>();
    for (String method : in(CallGraph.moduleOf(one))) {
      if (Stream.of(packages).anyMatch(method::startsWith)) {
        found.add(CallGraph.shown(method));
      }
    }
    return found;
  }

  /** Returns the methods of these classes with such a loop, with their packages. */
  static Set<String> in(List<ClassModel> models) {
    Set<String> found = new TreeSet<>();
    new CallGraph(models)
        .methods()
        .forEach(
            (key, method) -> {
              List<CodeElement> code =
                  method.code().map(all -> all.elementList()).orElse(List.of());
              if (hasOpenLoop(code)) {
                found.add(key);
              }
            });
    return found;
  }

  private static boolean hasOpenLoop(List<CodeElement> code) {
    Map<Integer, Integer> loops = loops(code);
    return loops.entrySet().stream()
        .anyMatch(
            loop ->
                IntStream.rangeClosed(loop.getKey(), loop.getValue())
                    .filter(at -> innermost(loops, at) == loop.getKey())
                    .noneMatch(at -> proceeds(code, at)));
  }

  /** Returns the last branch back to each start of a loop. */
  private static Map<Integer, Integer> loops(List<CodeElement> code) {
    Map<Label, Integer> labels = new HashMap<>();
    Map<Integer, Integer> loops = new TreeMap<>();
    for (int at = 0; at < code.size(); at++) {
      if (code.get(at) instanceof LabelTarget target) {
        labels.put(target.label(), at);
      } else if (code.get(at) instanceof BranchInstruction branch
          && labels.containsKey(branch.target())) {
        loops.put(labels.get(branch.target()), at);
      }
    }
    return loops;
  }

  /** Returns the start of the innermost loop around an instruction. */
  private static int innermost(Map<Integer, Integer> loops, int at) {
    return loops.entrySet().stream()
        .filter(loop -> loop.getKey() <= at && at <= loop.getValue())
        .mapToInt(Map.Entry::getKey)
        .max()
        .orElse(-1);
  }

  private static boolean proceeds(List<CodeElement> code, int at) {
    return switch (code.get(at)) {
      case IncrementInstruction _ -> true;
      // A switch over types proceeds to its next case.
      case InvokeDynamicInstruction made -> made.name().stringValue().equals("typeSwitch");
      case InvokeInstruction call ->
          call.opcode() != Opcode.INVOKESTATIC
              && PROCEEDING.matcher(call.name().stringValue()).matches();
      case StoreInstruction store ->
          store.opcode().kind() == Opcode.Kind.STORE
              && before(code, at) instanceof OperatorInstruction operator
              && switch (operator.opcode()) {
                case IADD, ISUB, IDIV, ISHL, ISHR, IUSHR, IAND, LAND, LUSHR -> true;
                default -> false;
              };
      default -> false;
    };
  }

  private static Instruction before(List<CodeElement> code, int at) {
    for (int i = at - 1; i >= 0; i--) {
      if (code.get(i) instanceof Instruction instruction) {
        return instruction;
      }
    }
    throw new IllegalStateException("a store is not the first instruction");
  }
}
