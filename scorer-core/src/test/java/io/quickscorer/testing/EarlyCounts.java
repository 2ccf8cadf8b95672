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
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.BitSet;
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
 * The rule that a refused charge leaves no count behind, over bytecode: finds methods that change a
 * number in an object, and after that call a method that may refuse, directly or through others.
 * The refusal would leave the number changed. The number may change in another method of the class.
 */
public final class EarlyCounts {
  private static final Set<String> ATOMIC =
      Set.of(
          "java/util/concurrent/atomic/AtomicLong",
          "java/util/concurrent/atomic/AtomicInteger",
          "java/util/concurrent/atomic/LongAdder");

  private static final Set<String> READING = Set.of("get", "sum", "intValue", "longValue");

  private final CallGraph graph;
  private final Set<String> refusing;
  private final Map<String, MethodModel> methods;
  private final Set<String> counting = new HashSet<>();
  private final Set<String> charging = new HashSet<>();

  private EarlyCounts(List<ClassModel> models, Set<String> refusing) {
    this.graph = new CallGraph(models);
    this.refusing = refusing;
    this.methods = new TreeMap<>(graph.methods());
    methods.keySet().removeIf(key -> key.contains(".<"));
    spread(counting, this::counts, true);
    spread(charging, this::refuses, false);
  }

  /**
   * The methods of a module that change a number before a call that may refuse, as "Class.method"
   * without the package.
   *
   * @param one any class of the module
   * @param refusing the methods that may refuse, as "package/Class.method"
   * @param packages those whose methods are told, as prefixes with slashes
   */
  public static Set<String> inModuleOf(Class<?> one, Set<String> refusing, String... packages)
      throws Exception {
    EarlyCounts rule = new EarlyCounts(CallGraph.moduleOf(one), refusing);
    Set<String> told = new TreeSet<>();
    rule.methods.forEach(
        (key, method) -> {
          if (Stream.of(packages).anyMatch(key::startsWith) && rule.isEarly(key, method)) {
            told.add(CallGraph.shown(key));
          }
        });
    return told;
  }

  /** Adds the methods with such an instruction, and all that call them. */
  private void spread(Set<String> doing, Predicate<CodeElement> does, boolean inClass) {
    int before;
    do {
      before = doing.size();
      methods.forEach(
          (key, method) -> {
            if (code(method).stream()
                .anyMatch(each -> does.test(each) || calls(key, each, doing, inClass))) {
              doing.add(key);
            }
          });
    } while (doing.size() > before);
  }

  private static List<CodeElement> code(MethodModel method) {
    return method.code().map(all -> all.elementList()).orElse(List.of());
  }

  private boolean calls(String caller, CodeElement element, Set<String> which, boolean inClass) {
    return graph.calls(element).stream()
        .filter(which::contains)
        .anyMatch(called -> !inClass || topLevel(called).equals(topLevel(caller)));
  }

  private static String topLevel(String method) {
    return method.split("[.$]", 2)[0];
  }

  private boolean counts(CodeElement element) {
    return switch (element) {
      case FieldInstruction field ->
          (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC)
              && Set.of("J", "I").contains(field.type().stringValue());
      case InvokeInstruction invoke ->
          ATOMIC.contains(invoke.owner().asInternalName())
              && !READING.contains(invoke.name().stringValue())
              && !invoke.name().stringValue().startsWith("<");
      default -> false;
    };
  }

  private boolean refuses(CodeElement element) {
    return element instanceof InvokeInstruction invoke
        && refusing.contains(invoke.owner().asInternalName() + "." + invoke.name().stringValue());
  }

  private boolean isEarly(String key, MethodModel method) {
    List<CodeElement> code = code(method);
    Map<Label, Integer> labels = new HashMap<>();
    for (int at = 0; at < code.size(); at++) {
      if (code.get(at) instanceof LabelTarget target) {
        labels.put(target.label(), at);
      }
    }
    // Follows branches forward only: the count of a loop may precede the charge of its next round.
    BitSet counted = new BitSet();
    for (int at = 0; at < code.size(); at++) {
      CodeElement element = code.get(at);
      boolean before = counted.get(at);
      if (before && (refuses(element) || calls(key, element, charging, false))) {
        return true;
      }
      if (!before && !counts(element) && !calls(key, element, counting, true)) {
        continue;
      }
      boolean ends = element instanceof ReturnInstruction || element instanceof ThrowInstruction;
      if (element instanceof BranchInstruction branch) {
        counted.set(labels.get(branch.target()));
        ends = branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
      }
      if (!(element instanceof Instruction) || !ends) {
        counted.set(at + 1);
      }
    }
    return false;
  }
}
