// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Follows numbers and texts over the operand stack and the local variables of a method, and finds
 * operations on values that may come from outside: sums and products that may overflow, arrays of
 * any length, regular expressions that are no constants. It reads code from the top down; branches
 * count as not taken. Used by one thread, for one method.
 */
public final class NumberFlow {
  /** An operation that needs a reason. */
  public enum Finding {
    /** A sum, product or shift of ints, one of them chosen by a request. */
    CHOSEN,
    /** A sum of two ints that are neither constants nor lengths. */
    SUM,
    /** A product of two ints that are not constants, or a multiple of one that is no length. */
    INT_PRODUCT,
    /** A product of two longs that are not constants. */
    LONG_PRODUCT,
    /** An array whose length is neither a constant nor the length of something in memory. */
    ARRAY,
    /** A growing collection or buffer that begins with such a length. */
    CAPACITY,
    /** A regular expression that is not a constant. */
    PATTERN,
    /** A format of {@link String#format} that is not a constant. */
    FORMAT,
    /** A collection for several threads, which may live as long as the node. */
    SHARED_COLLECTION
  }

  private enum Operand {
    CONSTANT,
    /** The length of something in memory, or not more than a constant or such a length. */
    LENGTH,
    PLAIN,
    CHOSEN;

    boolean isFree() {
      return this == PLAIN || this == CHOSEN;
    }
  }

  private static final Set<String> LENGTHS = Set.of("size", "length", "remaining", "cardinality");
  private static final Set<String> REPLACING = Set.of("replaceAll", "replaceFirst");
  private static final Set<Opcode> NEGATIONS =
      EnumSet.of(Opcode.INEG, Opcode.LNEG, Opcode.FNEG, Opcode.DNEG);
  private static final Set<Opcode> OVERFLOWING = EnumSet.of(Opcode.IADD, Opcode.IMUL, Opcode.ISHL);

  private final Predicate<CodeElement> chosen;
  private final Deque<Operand> stack = new ArrayDeque<>();
  private final Map<Integer, Operand> locals = new HashMap<>();
  private final Set<Finding> found = EnumSet.noneOf(Finding.class);

  /** Fields and parameters of constructors that get a chosen number. */
  private final Set<String> given = new TreeSet<>();

  private NumberFlow(Predicate<CodeElement> chosen) {
    this.chosen = chosen;
  }

  /** Returns the methods of a test's list, which the test groups by reason. */
  public static Set<String> listed(Map<String, List<String>> byReason) {
    Set<String> methods = new TreeSet<>();
    byReason.values().forEach(methods::addAll);
    return methods;
  }

  /**
   * Returns the methods of a class that have a finding, as "Class.method" without the package; a
   * lambda counts as the method that it is in.
   *
   * @param chosen returns whether a call or a field gives a number that a request chooses
   */
  public static Set<String> methods(
      ClassModel type, Predicate<CodeElement> chosen, Finding finding) {
    Set<String> methods = new TreeSet<>();
    for (MethodModel method : type.methods()) {
      NumberFlow flow = new NumberFlow(chosen);
      boolean array = isArrayConstructor(method);
      method.code().ifPresent(code -> code.forEach(flow::read));
      if (flow.found.contains(finding) && !array) {
        String name = type.thisClass().asInternalName() + "." + method.methodName().stringValue();
        methods.add(CallGraph.shown(name));
      }
    }
    return methods;
  }

  /**
   * Returns the int fields that get a number that a request chooses, as "owner.name", also by a
   * constructor, as the components of records do.
   */
  public static Set<String> chosenFields(List<ClassModel> types, Predicate<CodeElement> chosen) {
    Set<String> fields = new TreeSet<>();
    int before;
    do {
      before = fields.size();
      Set<String> given = new TreeSet<>();
      for (ClassModel type : types) {
        for (MethodModel method : type.methods()) {
          NumberFlow flow = new NumberFlow(part -> chosen.test(part) || isRead(part, fields));
          method.code().ifPresent(code -> code.forEach(flow::read));
          given.addAll(flow.given);
        }
      }
      for (ClassModel type : types) {
        type.methods().forEach(method -> addFields(type, method, given, fields));
      }
      given.stream().filter(name -> name.indexOf('#') < 0).forEach(fields::add);
    } while (fields.size() > before);
    return fields;
  }

  /** Returns whether an instruction reads one of the fields, by itself or by its accessor. */
  public static boolean isRead(CodeElement part, Set<String> fields) {
    return switch (part) {
      case FieldInstruction field -> fields.contains(name(field));
      case InvokeInstruction call ->
          call.typeSymbol().parameterCount() == 0
              && fields.contains(call.owner().asInternalName() + "." + call.name().stringValue());
      default -> false;
    };
  }

  private static String name(FieldInstruction field) {
    return field.owner().asInternalName() + "." + field.name().stringValue();
  }

  /** Adds the fields to which a constructor assigns a parameter that is given. */
  private static void addFields(
      ClassModel type, MethodModel method, Set<String> given, Set<String> fields) {
    if (!method.methodName().equalsString("<init>")) {
      return;
    }
    String constructor = type.thisClass().asInternalName() + method.methodType().stringValue();
    Map<Integer, Integer> parameters = new HashMap<>();
    int slot = 1;
    for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
      parameters.put(slot, parameters.size());
      slot += "JD".contains(parameter.descriptorString()) ? 2 : 1;
    }
    List<Instruction> code = CallGraph.code(method);
    for (int at = 1; at < code.size(); at++) {
      if (code.get(at) instanceof FieldInstruction field
          && field.opcode() == Opcode.PUTFIELD
          && code.get(at - 1) instanceof LoadInstruction load
          && given.contains(constructor + "#" + parameters.get(load.slot()))) {
        fields.add(name(field));
      }
    }
  }

  /** Returns the methods of the classes of a module whose names begin with one of the prefixes. */
  public static Set<String> inModuleOf(Class<?> one, Finding finding, String... prefixes)
      throws Exception {
    Set<String> methods = new TreeSet<>();
    for (ClassModel type : CallGraph.moduleOf(one)) {
      if (List.of(prefixes).stream().anyMatch(type.thisClass().asInternalName()::startsWith)) {
        methods.addAll(methods(type, call -> false, finding));
      }
    }
    return methods;
  }

  /** Returns whether a method is the lambda that a reference such as {@code int[]::new} makes. */
  private static boolean isArrayConstructor(MethodModel method) {
    String type = method.methodType().stringValue();
    return method.methodName().stringValue().startsWith("lambda$") && type.startsWith("(I)[");
  }

  private Operand pop() {
    return stack.isEmpty() ? Operand.PLAIN : stack.pop();
  }

  private void pop(int count) {
    for (int i = 0; i < count; i++) {
      pop();
    }
  }

  private void findIf(boolean is, Finding finding) {
    if (is) {
      found.add(finding);
    }
  }

  private void array(int dimensions) {
    for (int i = 0; i < dimensions; i++) {
      findIf(pop().isFree(), Finding.ARRAY);
    }
    stack.push(Operand.PLAIN);
  }

  private void call(InvokeInstruction call) {
    MethodTypeDesc type = call.typeSymbol();
    List<Operand> arguments = new ArrayList<>();
    for (int i = 0; i < type.parameterCount(); i++) {
      arguments.addFirst(pop());
    }
    Operand receiver = call.opcode() == Opcode.INVOKESTATIC ? Operand.PLAIN : pop();
    String owner = call.owner().asInternalName();
    String name = call.name().stringValue();
    for (int i = 0; i < arguments.size(); i++) {
      if (name.equals("<init>") && arguments.get(i) == Operand.CHOSEN) {
        given.add(owner + type.descriptorString() + "#" + i);
      }
    }
    findIf(isPattern(owner, name) && arguments.getFirst() != Operand.CONSTANT, Finding.PATTERN);
    findIf(
        (name.equals("<init>") || name.startsWith("allocate"))
            && (owner.startsWith("java/") || owner.endsWith("StreamOutput"))
            && !arguments.isEmpty()
            && type.parameterType(0).descriptorString().equals("I")
            && !owner.contains("/concurrent/")
            && arguments.getFirst().isFree(),
        Finding.CAPACITY);
    if (owner.equals("java/lang/String") && name.startsWith("format")) {
      // The format is the receiver, the first argument, or the argument after a locale.
      int at = arguments.size() - 2;
      Operand format = name.equals("formatted") ? receiver : arguments.get(at);
      findIf(format != Operand.CONSTANT, Finding.FORMAT);
    }
    if (!type.returnType().descriptorString().equals("V")) {
      boolean bounded =
          LENGTHS.contains(name) || (owner.equals("java/lang/Math") && isBounded(name, arguments));
      stack.push(chosen.test(call) ? Operand.CHOSEN : bounded ? Operand.LENGTH : Operand.PLAIN);
    }
  }

  /** Returns whether the first argument of a method is a regular expression. */
  static boolean isPattern(String owner, String name) {
    return owner.equals("java/util/regex/Pattern")
        ? name.equals("compile") || name.equals("matches")
        : owner.equals("java/lang/String")
            && (name.equals("matches") || name.equals("split") || REPLACING.contains(name));
  }

  private static boolean isBounded(String name, List<Operand> arguments) {
    return switch (name) {
      case "min" -> arguments.stream().anyMatch(argument -> !argument.isFree());
      case "max" -> arguments.stream().noneMatch(Operand::isFree);
      case "clamp" -> !arguments.getLast().isFree();
      default -> false;
    };
  }

  private void operate(Opcode code) {
    if (code == Opcode.ARRAYLENGTH) {
      pop();
      stack.push(Operand.LENGTH);
      return;
    }
    Operand last = pop();
    Operand before = NEGATIONS.contains(code) ? Operand.CONSTANT : pop();
    boolean constant = last == Operand.CONSTANT || before == Operand.CONSTANT;
    boolean request = last == Operand.CHOSEN || before == Operand.CHOSEN;
    findIf(request && OVERFLOWING.contains(code), Finding.CHOSEN);
    boolean free = last.isFree() || before.isFree();
    findIf(code == Opcode.IMUL && (!constant || free), Finding.INT_PRODUCT);
    findIf(code == Opcode.ISHL && free, Finding.INT_PRODUCT);
    findIf(code == Opcode.LMUL && !constant, Finding.LONG_PRODUCT);
    findIf(code == Opcode.IADD && last.isFree() && before.isFree(), Finding.SUM);
    stack.push(result(code, last, before));
  }

  private static Operand result(Opcode code, Operand last, Operand before) {
    if (last == Operand.CONSTANT && before == Operand.CONSTANT) {
      return Operand.CONSTANT;
    }
    if (code == Opcode.IAND || code == Opcode.IREM) {
      return Operand.LENGTH;
    }
    boolean request = last == Operand.CHOSEN || before == Operand.CHOSEN;
    if (request && code.name().startsWith("I")) {
      return Operand.CHOSEN;
    }
    return last.isFree() || before.isFree() ? Operand.PLAIN : Operand.LENGTH;
  }

  private void read(CodeElement element) {
    switch (element) {
      case LoadInstruction load -> stack.push(locals.getOrDefault(load.slot(), Operand.PLAIN));
      case ConstantInstruction constant -> stack.push(Operand.CONSTANT);
      case NewObjectInstruction made -> {
        String type = made.className().asInternalName();
        findIf(
            type.startsWith("java/util/concurrent/")
                && (type.endsWith("Map")
                    || type.endsWith("Set")
                    || type.endsWith("List")
                    || type.endsWith("Queue")
                    || type.endsWith("Deque")),
            Finding.SHARED_COLLECTION);
        stack.push(Operand.PLAIN);
      }
      case NewPrimitiveArrayInstruction made -> array(1);
      case NewReferenceArrayInstruction made -> array(1);
      case NewMultiArrayInstruction made -> array(made.dimensions());
      case StoreInstruction store -> {
        Operand stored = pop();
        // A loop may count it up, at most as often as it runs.
        locals.put(store.slot(), stored == Operand.CONSTANT ? Operand.LENGTH : stored);
      }
      case InvokeInstruction call -> call(call);
      case InvokeDynamicInstruction call -> {
        pop(call.typeSymbol().parameterCount());
        stack.push(Operand.PLAIN);
      }
      case FieldInstruction field -> {
        switch (field.opcode()) {
          case GETSTATIC -> stack.push(Operand.PLAIN);
          case GETFIELD -> {
            pop();
            stack.push(chosen.test(field) ? Operand.CHOSEN : Operand.PLAIN);
          }
          case PUTSTATIC -> pop();
          default -> {
            if (pop() == Operand.CHOSEN) {
              given.add(name(field));
            }
            pop();
          }
        }
      }
      case OperatorInstruction operator -> operate(operator.opcode());
      case ConvertInstruction convert -> {
        Operand converted = pop();
        boolean wide = converted == Operand.CHOSEN && convert.opcode() != Opcode.L2I;
        stack.push(wide ? Operand.PLAIN : converted);
      }
      case ArrayLoadInstruction load -> {
        pop(2);
        stack.push(Operand.PLAIN);
      }
      case ArrayStoreInstruction store -> pop(3);
      case StackInstruction moved -> {
        Operand top = pop();
        if (moved.opcode() == Opcode.DUP) {
          stack.push(top);
        }
        if (moved.opcode() != Opcode.POP) {
          stack.push(top);
        }
      }
      case BranchInstruction branch -> {
        if (branch.opcode().name().startsWith("IF")) {
          pop(branch.opcode().name().contains("CMP") ? 2 : 1);
        }
      }
      case ReturnInstruction end -> stack.clear();
      case ThrowInstruction end -> stack.clear();
      default -> {
        // Labels, lines, checks of types and others leave the number of operands alone.
      }
    }
  }
}
