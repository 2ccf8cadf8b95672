// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.testing.Value.Expression;
import io.quickscorer.testing.WalkState.Outcome;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks through a method's bytecode once, from its beginning to its end, with expressions for
 * values, and into the methods it calls as the JIT would inline them.
 */
final class MethodWalk {
  /** The JIT goes deeper; what decides and what is decided lie closer together. */
  private static final int MAX_CALLS = 4;

  private final CallTargets targets;
  private final String name;
  private final int calls;
  private final List<String> findings = new ArrayList<>();
  private final Map<Label, WalkState> waiting = new HashMap<>();
  private final Map<Label, Integer> positions = new HashMap<>();
  private @Nullable WalkState returned;
  private WalkState state = new WalkState();
  private boolean reached = true;
  private int position;
  private int line;

  private MethodWalk(CallTargets targets, String name, int calls) {
    this.targets = targets;
    this.name = name;
    this.calls = calls;
  }

  /** What is wrong with a method: one line for each pair of comparisons. */
  static List<String> findings(CallTargets targets, String name, MethodModel method) {
    MethodWalk walk = new MethodWalk(targets, name, 0);
    List<Value> arguments = new ArrayList<>();
    if (!method.flags().has(AccessFlag.STATIC)) {
      arguments.add(Value.leaf("this", false));
    }
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      arguments.add(Value.leaf("argument " + arguments.size(), wide(type)));
    }
    walk.walk(method.code().orElseThrow(), arguments);
    return walk.findings.stream().distinct().toList();
  }

  private static boolean wide(ClassDesc type) {
    return TypeKind.from(type).slotSize() == 2;
  }

  private String place() {
    return name + "@" + position;
  }

  private void walk(CodeModel code, List<Value> arguments) {
    int slot = 0;
    for (Value argument : arguments) {
      state.locals.put(slot, argument);
      slot += argument.wide() ? 2 : 1;
    }
    List<CodeElement> elements = code.elementList();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target) {
        positions.put(target.label(), i);
      }
    }
    Map<Label, Integer> loops = loops(elements);
    Set<Label> handlers = new HashSet<>();
    for (CodeElement element : elements) {
      if (element instanceof ExceptionCatch handler) {
        handlers.add(handler.handler());
      }
    }
    for (position = 0; position < elements.size(); position++) {
      CodeElement element = elements.get(position);
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof LabelTarget target) {
        arrive(target.label(), handlers, loops, elements);
      } else if (element instanceof Instruction instruction && reached) {
        step(instruction);
      }
    }
  }

  /** The heads of loops, with the index of the last jump back. */
  private Map<Label, Integer> loops(List<CodeElement> elements) {
    Map<Label, Integer> loops = new HashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof BranchInstruction branch
          && positions.getOrDefault(branch.target(), i) < i) {
        loops.put(branch.target(), i);
      }
    }
    return loops;
  }

  private void arrive(
      Label label, Set<Label> handlers, Map<Label, Integer> loops, List<CodeElement> elements) {
    WalkState jumped = waiting.remove(label);
    if (handlers.contains(label) && jumped == null && !reached) {
      state = new WalkState();
      state.push(Value.leaf("caught " + place(), false));
      reached = true;
    } else if (jumped != null) {
      state = reached ? WalkState.merge(state, jumped, place()) : jumped;
      reached = true;
    }
    Integer end = loops.get(label);
    if (end != null && reached) {
      forgetWrites(elements.subList(position, end));
    }
  }

  /** What a loop writes is another value in each round. */
  private void forgetWrites(List<CodeElement> body) {
    for (CodeElement element : body) {
      switch (element) {
        case StoreInstruction store -> forget(store.slot());
        case IncrementInstruction increment -> forget(increment.slot());
        case FieldInstruction field -> {
          if (field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC) {
            state.versions.put(memory(field), place());
          }
        }
        case ArrayStoreInstruction store ->
            state.versions.put(store.typeKind().toString(), place());
        default -> {}
      }
    }
    state.tested.clear();
  }

  private void forget(int slot) {
    Value old = state.locals.get(slot);
    if (old != null) {
      state.locals.put(slot, Value.leaf("round " + place() + " local " + slot, old.wide()));
    }
  }

  private void step(Instruction instruction) {
    switch (instruction) {
      case LoadInstruction load ->
          state.push(
              state.locals.getOrDefault(
                  load.slot(), Value.leaf("local " + place(), load.typeKind().slotSize() == 2)));
      case StoreInstruction store -> state.locals.put(store.slot(), state.pop());
      case IncrementInstruction increment -> {
        Value old = state.locals.get(increment.slot());
        Value one = Value.leaf("const " + increment.constant(), false);
        state.locals.put(
            increment.slot(),
            Value.of("IADD", false, place(), old == null ? List.of(one) : List.of(old, one)));
      }
      case ConstantInstruction constant ->
          state.push(
              Value.leaf("const " + constant.constantValue(), constant.typeKind().slotSize() == 2));
      case OperatorInstruction operator -> operate(operator);
      case ConvertInstruction convert -> convert(convert);
      case StackInstruction shuffle -> shuffle(shuffle.opcode());
      case ArrayLoadInstruction load -> {
        String kind = load.typeKind().toString();
        Value index = state.pop();
        Value array = state.pop();
        push(kind + state.version(kind), load.typeKind().slotSize() == 2, array, index);
      }
      case ArrayStoreInstruction store -> {
        pop(3);
        state.versions.put(store.typeKind().toString(), place());
      }
      case FieldInstruction field -> field(field);
      case InvokeInstruction invoke -> invoke(invoke);
      case InvokeDynamicInstruction invoke -> {
        pop(invoke.typeSymbol().parameterCount());
        push("dynamic " + place(), false);
      }
      case NewObjectInstruction create -> push("new " + place(), false);
      case NewPrimitiveArrayInstruction create -> replace(1, "new " + place());
      case NewReferenceArrayInstruction create -> replace(1, "new " + place());
      case NewMultiArrayInstruction create -> replace(create.dimensions(), "new " + place());
      case TypeCheckInstruction check -> {
        if (check.opcode() == Opcode.INSTANCEOF) {
          push("instanceof " + check.type().asInternalName(), false, state.pop());
        }
      }
      case MonitorInstruction monitor -> state.pop();
      case BranchInstruction branch -> branch(branch);
      case TableSwitchInstruction table -> {
        List<Label> to = new ArrayList<>(List.of(table.defaultTarget()));
        table.cases().forEach(one -> to.add(one.target()));
        choose(to);
      }
      case LookupSwitchInstruction table -> {
        List<Label> to = new ArrayList<>(List.of(table.defaultTarget()));
        table.cases().forEach(one -> to.add(one.target()));
        choose(to);
      }
      case ReturnInstruction done -> {
        if (done.opcode() == Opcode.RETURN) {
          state.stack.clear();
        } else {
          Value value = state.pop();
          state.stack.clear();
          state.push(value);
        }
        returned = returned == null ? state : WalkState.merge(returned, state, name + " returns");
        reached = false;
      }
      case ThrowInstruction failed -> reached = false;
      default -> {}
    }
  }

  private void pop(int values) {
    for (int i = 0; i < values; i++) {
      state.pop();
    }
  }

  private void push(String operation, boolean wide, Value... operands) {
    state.push(Value.of(operation, wide, place(), List.of(operands)));
  }

  private void replace(int values, String by) {
    pop(values);
    state.push(Value.leaf(by, false));
  }

  private void operate(OperatorInstruction operator) {
    String operation = operator.opcode().toString();
    boolean unary = operation.endsWith("NEG") || operation.equals("ARRAYLENGTH");
    boolean wide = operator.typeKind().slotSize() == 2 && !operation.contains("CMP");
    Value second = state.pop();
    if (unary) {
      push(operation, wide, second);
    } else {
      push(operation, wide, state.pop(), second);
    }
  }

  /** To the JIT a narrowed value that fits is the value itself. */
  private void convert(ConvertInstruction convert) {
    Value value = state.pop();
    boolean narrow =
        convert.fromType() == TypeKind.INT && convert.toType().asLoadable() == TypeKind.INT;
    if (narrow) {
      state.push(value);
    } else {
      push(convert.opcode().toString(), convert.toType().slotSize() == 2, value);
    }
  }

  private void shuffle(Opcode opcode) {
    List<Value> stack = state.stack;
    int top = stack.size();
    switch (opcode) {
      case POP -> state.pop();
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

  private static String memory(FieldInstruction field) {
    return field.owner().asInternalName() + "." + field.name().stringValue();
  }

  private void field(FieldInstruction field) {
    String memory = memory(field);
    boolean wide = wide(field.typeSymbol());
    String version = "field " + memory + state.version(memory);
    switch (field.opcode()) {
      case GETSTATIC -> {
        // A constant whose value is not in the class file is one to the JIT all the same.
        String plain = field.name().stringValue();
        boolean constant = plain.equals(plain.toUpperCase(Locale.ROOT));
        push((constant ? "const " : "") + version, wide);
      }
      case GETFIELD -> push(version, wide, state.pop());
      case PUTSTATIC -> {
        state.pop();
        state.versions.put(memory, place());
      }
      default -> {
        pop(2);
        state.versions.put(memory, place());
      }
    }
  }

  private void invoke(InvokeInstruction invoke) {
    MethodTypeDesc type = invoke.typeSymbol();
    int count = type.parameterCount() + (invoke.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
    List<Value> arguments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      arguments.addFirst(state.pop());
    }
    boolean wide = wide(type.returnType());
    boolean returns = !type.returnType().descriptorString().equals("V");
    if (CallTargets.isPure(invoke)) {
      push("call " + CallTargets.name(invoke), wide, arguments.toArray(Value[]::new));
      return;
    }
    List<MethodModel> methods = calls < MAX_CALLS ? targets.of(invoke) : List.of();
    WalkState after = null;
    for (MethodModel method : methods) {
      MethodWalk walk = new MethodWalk(targets, place() + ">" + method.methodName(), calls + 1);
      walk.state.versions.putAll(state.versions);
      walk.walk(method.code().orElseThrow(), arguments);
      if (walk.returned != null) {
        after =
            after == null ? walk.returned : WalkState.merge(after, walk.returned, place() + "of");
      }
    }
    if (after != null) {
      state.versions.putAll(after.versions);
      if (returns) {
        Value result = after.stack.getLast();
        state.push(new Value(result.expression(), wide, result.decidedBy()));
      }
      return;
    }
    // A call that is not inlined stands between what is before and what comes after.
    if (!CallTargets.isOfJdk(invoke)) {
      state.tested.clear();
      state.versions.replaceAll((memory, version) -> place());
    }
    if (returns) {
      state.push(Value.leaf("call " + place(), wide));
    }
  }

  private void branch(BranchInstruction branch) {
    Opcode opcode = branch.opcode();
    if (opcode == Opcode.GOTO || opcode == Opcode.GOTO_W) {
      jump(branch.target(), state);
      reached = false;
      return;
    }
    List<Value> operands = new ArrayList<>();
    Value last = state.pop();
    operands.add(opcode.toString().contains("CMP") ? state.pop() : last);
    if (opcode.toString().contains("CMP")) {
      operands.add(last);
    }
    Set<Comparison> compared =
        switch (opcode) {
          case IFLT, IFGE, IF_ICMPLT, IF_ICMPGE -> compared(operands, false);
          case IFGT, IFLE, IF_ICMPGT, IF_ICMPLE -> compared(operands, true);
          default -> Set.of();
        };
    test(operands, compared);
    WalkState other = state.copy();
    other.outcomes.add(new Outcome(place(), 1, compared));
    state.outcomes.add(new Outcome(place(), 0, compared));
    jump(branch.target(), other);
  }

  /** A switch compares its value with bounds, too. */
  private void choose(List<Label> to) {
    Value value = state.pop();
    Value bounds = Value.leaf("const cases in line " + line, false);
    Set<Comparison> compared = compared(List.of(value, bounds), false);
    test(List.of(value), compared);
    for (int i = 0; i < to.size(); i++) {
      WalkState other = state.copy();
      other.outcomes.add(new Outcome(place(), i, compared));
      jump(to.get(i), other);
    }
    reached = false;
  }

  /**
   * What a comparison compares: its left side, as C2 has it, or the right one with a constant. One
   * side alone is compared with 0.
   *
   * @param inclusive whether equal sides go with the left one being less
   */
  private static Set<Comparison> compared(List<Value> sides, boolean inclusive) {
    Expression left = sides.getFirst().expression();
    Expression right =
        sides.size() > 1 ? sides.get(1).expression() : Value.leaf("const 0", false).expression();
    return switch (left.operation()) {
      case "FCMPL", "FCMPG", "DCMPL", "DCMPG" -> Set.of();
      // C2 makes one unsigned comparison of it.
      case "call java/lang/Integer.compareUnsigned", "call java/lang/Long.compareUnsigned" ->
          Set.of();
      case "LCMP" -> {
        // An int widened and compared with a constant is compared as an int.
        Expression widened = left.operands().getFirst();
        yield widened.operation().equals("I2L") && left.operands().get(1).isConstant()
            ? compared(widened.operands().getFirst(), left.operands().get(1), inclusive)
            : Set.of();
      }
      default -> compared(left, right, inclusive);
    };
  }

  private static Set<Comparison> compared(Expression left, Expression right, boolean inclusive) {
    if (!left.isConstant()) {
      return Set.of(new Comparison(left, right, inclusive));
    }
    return right.isConstant() ? Set.of() : Set.of(new Comparison(right, left, !inclusive));
  }

  private void test(List<Value> operands, Set<Comparison> compared) {
    Set<Comparison> decidedBy = new HashSet<>();
    operands.forEach(operand -> decidedBy.addAll(operand.decidedBy()));
    Set<Comparison> again = new HashSet<>(compared);
    again.addAll(decidedBy);
    for (Comparison one : again) {
      state.tested.forEach(
          (before, where) -> {
            if (calls == 0 && before.fusesWith(one)) {
              findings.add(name + ": lines " + where + " and " + line + " compare " + one.number());
            }
          });
    }
    for (Comparison one : decidedBy) {
      state.tested.putIfAbsent(one, line);
    }
  }

  private void jump(Label target, WalkState from) {
    if (positions.getOrDefault(target, -1) > position) {
      WalkState there = waiting.get(target);
      waiting.put(
          target,
          there == null
              ? from.copy()
              : WalkState.merge(there, from, name + " to " + positions.get(target)));
    }
  }
}
