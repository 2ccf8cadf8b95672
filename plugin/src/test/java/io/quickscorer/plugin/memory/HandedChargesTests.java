// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import com.tngtech.archunit.core.domain.JavaClass;
import io.quickscorer.testing.ArchitectureRules;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.opensearch.action.ActionRunnable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;

/**
 * A method that hands a charge to another thread wraps the listener in one that closes the charge,
 * and does so before: a thread pool that rejects the task calls only the listener. The rule reads
 * bytecode: such a method makes a lambda that captures a {@link MemoryCharge}, and calls an
 * executor or {@link ActionRunnable}.
 */
public class HandedChargesTests extends OpenSearchTestCase {
  private static final ClassDesc CHARGE = desc(MemoryCharge.class);
  private static final ClassDesc LISTENER = desc(ActionListener.class);

  /** Methods of {@link ActionListener} that do something before or after its call. */
  private static final Set<String> CLOSING = Set.of("runBefore", "runAfter");

  /** Methods that may do so, with the reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "ModelLoader.lambda$begin$2", "begin closes the charge in the listener of all its steps",
          "ModelUploadService.lambda$bind$1", "prepare closes the charge in its listener");

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** Returns the methods of a class that break the rule, as "Class.method". */
  private static Set<String> violations(String className) throws IOException {
    Set<String> found = new TreeSet<>();
    String path = "/" + className.replace('.', '/') + ".class";
    try (InputStream in =
        Objects.requireNonNull(HandedChargesTests.class.getResourceAsStream(path))) {
      ClassModel type = ClassFile.of().parse(in.readAllBytes());
      for (MethodModel method : type.methods()) {
        if (method.code().isPresent() && handsOver(method.code().orElseThrow().elementList())) {
          String simple = className.substring(className.lastIndexOf('.') + 1);
          found.add(simple + "." + method.methodName().stringValue());
        }
      }
    }
    return found;
  }

  private static boolean handsOver(List<CodeElement> code) {
    boolean captures = false;
    boolean closes = false;
    boolean executes = false;
    for (CodeElement element : code) {
      if (element instanceof InvokeDynamicInstruction made) {
        captures |= made.typeSymbol().parameterList().contains(CHARGE);
      } else if (element instanceof InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        executes |= name.equals("execute") || owner.endsWith("/ActionRunnable");
        closes |=
            type.returnType().equals(LISTENER)
                && (type.parameterList().contains(CHARGE) || CLOSING.contains(name));
      }
    }
    return captures && executes && !closes;
  }

  public void testListenersCloseHandedCharges() throws IOException {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ArchitectureRules.mainClasses("io.quickscorer.plugin")) {
      found.addAll(violations(type.getName()));
    }
    assertEquals(EXCEPTIONS.keySet(), found);
  }

  @SuppressWarnings("unused") // read by the rule
  private abstract static class Planted {
    abstract void work(MemoryCharge charge, ActionListener<Void> listener);

    abstract ActionListener<Void> closing(MemoryCharge charge, ActionListener<Void> listener);

    void withoutListener(Executor executor, MemoryCharge charge) {
      executor.execute(() -> charge.close());
    }

    void closedInTheTask(Executor executor, MemoryCharge charge, ActionListener<Void> listener) {
      executor.execute(ActionRunnable.wrap(listener, l -> work(charge, closing(charge, l))));
    }

    void closedBefore(Executor executor, MemoryCharge charge, ActionListener<Void> listener) {
      executor.execute(ActionRunnable.wrap(closing(charge, listener), l -> work(charge, l)));
    }

    void closedAfter(Executor executor, MemoryCharge charge, ActionListener<Void> listener) {
      executor.execute(
          ActionRunnable.wrap(
              ActionListener.runAfter(listener, charge::close), l -> work(charge, l)));
    }
  }

  public void testTheRuleBites() throws IOException {
    String planted = "HandedChargesTests$Planted.";
    assertEquals(
        Set.of(planted + "withoutListener", planted + "closedInTheTask"),
        violations(Planted.class.getName()));
  }
}
