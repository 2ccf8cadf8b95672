// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

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
import java.lang.classfile.instruction.SwitchCase;
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
  private final CodeLayout code;
  private final List<String> findings = new ArrayList<>();
  private final Map<Label, WalkState> waiting = new HashMap<>();
  private @Nullable WalkState returned;
  private WalkState state = new WalkState();
  private boolean reached = true;
  private int position;
  private int line;

  private MethodWalk(CallTargets targets, String name, int calls, CodeModel code) {
    this.targets = targets;
    this.name = name;
    this.calls = calls;
    this.code = CodeLayout.of(code);
  }

  /** What is wrong with a method: one line for each pair of comparisons. */
  static List<String> findings(CallTargets targets, String name, MethodModel method) {
    MethodWalk walk = new MethodWalk(targets, name, 0, method.code().orElseThrow());
    List<Value> arguments = new ArrayList<>();
    if (!method.flags().has(AccessFlag.STATIC)) {
      arguments.add(Value.leaf("this", false));
    }
    for (ClassDesc type : method.methodTypeSymbol().parameterList()) {
      arguments.add(Value.leaf("argument " + arguments.size(), wide(type)));
    }
    walk.walk(arguments);
    return walk.findings.stream().distinct().toList();
  }

  private static boolean wide(ClassDesc type) {
    return TypeKind.from(type).slotSize() == 2;
  }

  private String place() {
    return name + "@" + position;
  }

  private void walk(List<Value> arguments) {
    int slot = 0;
    for (Value argument : arguments) {
      state.locals.put(slot, argument);
      slot += argument.wide() ? 2 : 1;
    }
    List<CodeElement> elements = code.elements();
    for (position = 0; position < elements.size(); position++) {
      CodeElement element = elements.get(position);
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof LabelTarget target) {
        arrive(target.label());
      } else if (element instanceof Instruction instruction && reached) {
        step(instruction);
      }
    }
  }

  private void arrive(Label label) {
    WalkState jumped = waiting.remove(label);
    if (code.handlers().contains(label) && jumped == null && !reached) {
      state = new WalkState();
      state.push(Value.leaf("caught " + place(), false));
      reached = true;
    } else if (jumped != null) {
      state = reached ? WalkState.merge(state, jumped, place()) : jumped;
      reached = true;
    }
    Integer end = code.loops().get(label);
    if (end != null && reached) {
      forgetWrites(code.elements().subList(position, end));
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
      case StackInstruction shuffle -> state.shuffle(shuffle.opcode());
      case ArrayLoadInstruction load -> {
        String kind = load.typeKind().toString();
        Value index = state.pop();
        Value array = state.pop();
        push(kind + state.version(kind), load.typeKind().slotSize() == 2, array, index);
      }
      case ArrayStoreInstruction store -> {
        state.pop(3);
        state.versions.put(store.typeKind().toString(), place());
      }
      case FieldInstruction field -> field(field);
      case InvokeInstruction invoke -> invoke(invoke);
      case InvokeDynamicInstruction invoke -> {
        state.pop(invoke.typeSymbol().parameterCount());
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
      case TableSwitchInstruction table -> choose(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction table -> choose(table.defaultTarget(), table.cases());
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

  private void push(String operation, boolean wide, Value... operands) {
    state.push(Value.of(operation, wide, place(), List.of(operands)));
  }

  private void replace(int values, String by) {
    state.pop(values);
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
        state.pop(2);
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
      String inner = place() + ">" + method.methodName();
      MethodWalk walk = new MethodWalk(targets, inner, calls + 1, method.code().orElseThrow());
      walk.state.versions.putAll(state.versions);
      walk.walk(arguments);
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
          case IFLT, IFGE, IF_ICMPLT, IF_ICMPGE -> Comparison.of(operands, false);
          case IFGT, IFLE, IF_ICMPGT, IF_ICMPLE -> Comparison.of(operands, true);
          default -> Set.of();
        };
    test(operands, compared);
    WalkState other = state.copy();
    other.outcomes.add(new Outcome(place(), 1, compared));
    state.outcomes.add(new Outcome(place(), 0, compared));
    jump(branch.target(), other);
  }

  /** A switch compares its value with bounds, too. */
  private void choose(Label otherwise, List<SwitchCase> cases) {
    List<Label> to = new ArrayList<>(List.of(otherwise));
    cases.forEach(one -> to.add(one.target()));
    Value value = state.pop();
    Value bounds = Value.leaf("const cases in line " + line, false);
    Set<Comparison> compared = Comparison.of(List.of(value, bounds), false);
    test(List.of(value), compared);
    for (int i = 0; i < to.size(); i++) {
      WalkState other = state.copy();
      other.outcomes.add(new Outcome(place(), i, compared));
      jump(to.get(i), other);
    }
    reached = false;
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
    if (code.positions().getOrDefault(target, -1) > position) {
      WalkState there = waiting.get(target);
      waiting.put(
          target,
          there == null
              ? from.copy()
              : WalkState.merge(there, from, name + " to " + code.positions().get(target)));
    }
  }
}
