// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import com.tngtech.archunit.core.domain.JavaClass;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.testing.ArchitectureRules;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
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
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Sums and products of numbers that a request chooses are made in {@code long}, or by methods that
 * check them: in {@code int} they overflow without a word. The rule follows such numbers from the
 * methods that give them, over the operand stack and local variables, to additions, multiplications
 * and shifts of ints. It reads code from the top down, branches as if not taken. Products of two
 * ints of which none is a constant are listed with the reason why they fit, whatever their source.
 */
public class RequestNumbersTests extends OpenSearchTestCase {
  /** Methods that give a number of a request as an int, whatever their class. */
  private static final Set<String> GIVERS =
      Set.of("getFrom", "getSize", "windowSize", "getWindowSize", "paramAsInt", "keep");

  /** Whose {@code from()} and {@code size()} are such too: those of others are none. */
  private static final Set<String> SIZED =
      Set.of(
          "org/opensearch/search/builder/SearchSourceBuilder",
          "org/opensearch/search/internal/SearchContext",
          "org/opensearch/search/internal/ShardSearchContext");

  /** Whose whole numbers are a request's, if they are made ints. */
  private static final String INPUT = Input.class.getName().replace('.', '/');

  /** The records of requests, whose numbers their accessors give. */
  private static final Pattern REQUEST = Pattern.compile("io/quickscorer/.*Request");

  private static final Map<String, String> PRODUCTS =
      Map.of(
          "feature.StoredVectors.lambda$binary$0", "a dimension, 16,000 at most, times 4",
          "rescore.shard.LoggedRows.only", "of an array that is there",
          "rescore.shard.LoggedRows.values", "of an array that is there",
          "rescore.shard.LoggedRows.of", "of an array that is there",
          "rescore.shard.ModelScores.score", "places in a window, of which a block is a part");

  private static final Set<Opcode> OVERFLOWING = Set.of(Opcode.IADD, Opcode.IMUL, Opcode.ISHL);

  private static boolean gives(InvokeInstruction call) {
    String name = call.name().stringValue();
    String owner = call.owner().asInternalName();
    return switch (call.typeSymbol().returnType().descriptorString()) {
      case "I" ->
          GIVERS.contains(name)
              || (Set.of("from", "size").contains(name) && SIZED.contains(owner))
              || (REQUEST.matcher(owner).matches() && call.typeSymbol().parameterCount() == 0);
      case "J" -> owner.equals(INPUT) && name.equals("whole");
      default -> false;
    };
  }

  /** What an operand is. */
  private enum Operand {
    CONSTANT,
    PLAIN,
    CHOSEN_BY_REQUEST
  }

  /** Reads a method's code. */
  private static final class Flow {
    private final Deque<Operand> stack = new ArrayDeque<>();
    private final Set<Integer> locals = new HashSet<>();
    private boolean overflows;
    private boolean multiplies;

    private void push(boolean chosen) {
      stack.push(chosen ? Operand.CHOSEN_BY_REQUEST : Operand.PLAIN);
    }

    private Operand operand() {
      return stack.isEmpty() ? Operand.PLAIN : stack.pop();
    }

    private boolean pop() {
      return operand() == Operand.CHOSEN_BY_REQUEST;
    }

    private boolean pop(int count) {
      boolean any = false;
      for (int i = 0; i < count; i++) {
        any |= pop();
      }
      return any;
    }

    private void call(MethodTypeDesc type, boolean receiver, boolean gives) {
      pop(type.parameterCount() + (receiver ? 1 : 0));
      if (!type.returnType().descriptorString().equals("V")) {
        push(gives);
      }
    }

    void read(CodeElement element) {
      switch (element) {
        case LoadInstruction load -> push(locals.contains(load.slot()));
        case ConstantInstruction constant -> stack.push(Operand.CONSTANT);
        case NewObjectInstruction made -> push(false);
        case StoreInstruction store -> {
          if (pop()) {
            locals.add(store.slot());
          } else {
            locals.remove(store.slot());
          }
        }
        case InvokeInstruction call ->
            call(call.typeSymbol(), call.opcode() != Opcode.INVOKESTATIC, gives(call));
        case InvokeDynamicInstruction call -> call(call.typeSymbol(), false, false);
        case FieldInstruction field -> {
          switch (field.opcode()) {
            case GETSTATIC -> push(false);
            case GETFIELD -> {
              pop();
              push(false);
            }
            case PUTSTATIC -> pop();
            default -> pop(2);
          }
        }
        case OperatorInstruction operator -> {
          boolean one =
              Set.of(Opcode.INEG, Opcode.LNEG, Opcode.FNEG, Opcode.DNEG, Opcode.ARRAYLENGTH)
                  .contains(operator.opcode());
          Operand last = operand();
          Operand before = one ? Operand.CONSTANT : operand();
          boolean chosen = last == Operand.CHOSEN_BY_REQUEST || before == Operand.CHOSEN_BY_REQUEST;
          multiplies |=
              operator.opcode() == Opcode.IMUL
                  && last != Operand.CONSTANT
                  && before != Operand.CONSTANT;
          overflows |= chosen && OVERFLOWING.contains(operator.opcode());
          push(chosen && operator.opcode().name().startsWith("I"));
        }
        // What is made a long cannot overflow by sums of ints.
        case ConvertInstruction convert -> push(pop() && convert.opcode() == Opcode.L2I);
        case ArrayLoadInstruction load -> {
          pop(2);
          push(false);
        }
        case ArrayStoreInstruction store -> pop(3);
        case StackInstruction moved -> {
          Operand top = operand();
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
          // Labels, lines, checks of types and others that leave the number of operands alone.
        }
      }
    }
  }

  /** The methods of a class in which such a number may overflow. */
  private static List<String> violations(String className) throws IOException {
    return methods(className, flow -> flow.overflows);
  }

  private static List<String> methods(String className, Predicate<Flow> of) throws IOException {
    String path = "/" + className.replace('.', '/') + ".class";
    List<String> found = new ArrayList<>();
    try (InputStream in =
        Objects.requireNonNull(RequestNumbersTests.class.getResourceAsStream(path))) {
      for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
        Flow flow = new Flow();
        method.code().ifPresent(code -> code.forEach(flow::read));
        if (of.test(flow)) {
          found.add(className + "." + method.methodName().stringValue());
        }
      }
    }
    return found;
  }

  public void testNumbersOfRequestsDoNotOverflow() throws IOException {
    List<String> found = new ArrayList<>();
    for (JavaClass type : ArchitectureRules.mainClasses("io.quickscorer.plugin")) {
      found.addAll(violations(type.getName()));
    }
    assertEquals(List.of(), found);
  }

  public void testProductsOfTwoNumbersFit() throws IOException {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ArchitectureRules.mainClasses("io.quickscorer.plugin")) {
      for (String method : methods(type.getName(), flow -> flow.multiplies)) {
        found.add(method.substring("io.quickscorer.plugin.".length()));
      }
    }
    assertEquals(new TreeSet<>(PRODUCTS.keySet()), found);
  }

  private record PlantedRequest(int rows) {}

  /** Each method is a violation. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Planted {
    abstract int windowSize();

    int sum(SearchSourceBuilder source) {
      return source.from() + source.size();
    }

    int throughLocals(SearchSourceBuilder source) {
      int from = Math.max(0, 1);
      int size = source.size();
      if (size < 0) {
        size = 10;
      }
      int chosen = source.from();
      return from * 2 + chosen;
    }

    long product(int features) {
      return windowSize() * features;
    }

    int choice(SearchSourceBuilder source, int from) {
      return from + (source.size() < 0 ? 10 : source.size());
    }

    int read(Input in) throws IOException {
      int rows = (int) in.whole(0, Integer.MAX_VALUE);
      return rows + 1;
    }

    int given(PlantedRequest request) {
      return request.rows() << 2;
    }
  }

  /** No method is one. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Harmless {
    abstract int windowSize();

    long sum(SearchSourceBuilder source) {
      return (long) source.from() + source.size();
    }

    int exact(SearchSourceBuilder source) {
      return Math.addExact(source.from(), source.size());
    }

    int bounded(SearchSourceBuilder source, int most) {
      return Math.min(source.size(), most) + 1;
    }

    int list(List<String> items) {
      return items.size() + windowSizeless(items.size());
    }

    private int windowSizeless(int other) {
      return other + 1;
    }

    long read(Input in) throws IOException {
      return in.whole(0, Integer.MAX_VALUE) + 1;
    }

    int listed(int rows, int features) {
      return rows * features + 3 * rows;
    }

    long wide(int rows, int features) {
      return (long) rows * features;
    }
  }

  public void testTheRuleBites() throws IOException {
    String planted = Planted.class.getName();
    assertEquals(List.of(planted + ".product"), methods(planted, flow -> flow.multiplies));
    assertEquals(
        List.of(Harmless.class.getName() + ".listed"),
        methods(Harmless.class.getName(), flow -> flow.multiplies));
    assertEquals(
        Set.of(
            planted + ".sum",
            planted + ".throughLocals",
            planted + ".product",
            planted + ".choice",
            planted + ".read",
            planted + ".given"),
        Set.copyOf(violations(planted)));
    assertEquals(List.of(), violations(Harmless.class.getName()));
  }
}
