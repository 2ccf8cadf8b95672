// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import com.tngtech.archunit.core.domain.JavaClass;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.testing.ArchitectureRules;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ExceptionCatch;
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
import java.util.function.Predicate;
import org.opensearch.action.ActionRunnable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Tasks that a method hands to another thread, by rules over bytecode:
 *
 * <ul>
 *   <li>A method that hands over a {@link MemoryCharge} wraps the listener before, in one that
 *       closes the charge: a thread pool that rejects the task calls only the listener.
 *   <li>A task is an {@link ActionRunnable}, which answers its listener whatever the task throws.
 *       Tasks that are plain lambdas are listed with the reason why no request waits for an answer.
 *   <li>Only the listed methods catch an {@link Error}, because an {@link Error} that becomes the
 *       cause of another exception halts the node.
 * </ul>
 */
public class HandedTasksTests extends OpenSearchTestCase {
  private static final ClassDesc CHARGE = desc(MemoryCharge.class);
  private static final ClassDesc LISTENER = desc(ActionListener.class);
  private static final ClassDesc RUNNABLE = desc(Runnable.class);

  /** Methods of {@link ActionListener} that do something before or after its call. */
  private static final Set<String> CLOSING = Set.of("runBefore", "runAfter");

  /** Methods of executors that take a task. */
  private static final Set<String> TAKING = Set.of("execute", "submit", "schedule");

  /** Methods that hand over a charge otherwise, with the reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "FeatureSetStore.listReady", "the caller closes the charge",
          "ModelLoader.lambda$begin$2", "begin closes the charge in the listener of all its steps",
          "ModelUploadService.lambda$bind$1", "prepare closes the charge in its listener");

  /** Methods that hand over a plain lambda, with the reason. */
  private static final Map<String, String> PLAIN_TASKS =
      Map.of(
          "ClauseState.within", "a time limit, whose task only calls the listener",
          "Retries.lambda$run$0", "the task is an ActionRunnable that it runs itself",
          "EngineReplacement.replace", "work of the node itself, logged if it fails",
          "EngineReplacement.recompileAll", "work of the node itself, logged if it fails",
          "ModelService.changed", "work of the node itself, logged if it fails",
          "SearchWarmUp.fork", "warm-up, which no request waits for",
          "Verifier.take", "a sample of a search that is answered already");

  /** Methods that catch an error, with the reason. */
  private static final Map<String, String> CATCHES =
      Map.of(
          "Guard$1.onResponse", "turns it into a CaughtError",
          "Guard.call", "turns it into a CaughtError",
          "Guard.run", "turns it into a CaughtError",
          "WireForm.call", "throws an error of an invoked method again",
          "ModelFile.missingLibrary", "a missing library is an answer",
          "ModelFile.read", "a missing library is an answer");

  private static ClassDesc desc(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  /** Returns the methods of a class whose code has a property, as "Class.method". */
  private static Set<String> methods(String className, Predicate<List<CodeElement>> property)
      throws IOException {
    Set<String> found = new TreeSet<>();
    String path = "/" + className.replace('.', '/') + ".class";
    try (InputStream in =
        Objects.requireNonNull(HandedTasksTests.class.getResourceAsStream(path))) {
      ClassModel type = ClassFile.of().parse(in.readAllBytes());
      for (MethodModel method : type.methods()) {
        if (method.code().isPresent() && property.test(method.code().orElseThrow().elementList())) {
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

  /**
   * Returns whether a lambda is handed over directly, or captures a listener and is handed over
   * after another method has wrapped it.
   */
  private static boolean handsOverLambda(List<CodeElement> code) {
    Instruction before = null;
    boolean listener = false;
    for (CodeElement element : code) {
      if (element instanceof InvokeInstruction call
          && TAKING.contains(call.name().stringValue())
          && (listener || before instanceof InvokeDynamicInstruction)) {
        return true;
      }
      if (element instanceof InvokeDynamicInstruction made) {
        listener |=
            made.typeSymbol().returnType().equals(RUNNABLE)
                && made.typeSymbol().parameterList().contains(LISTENER);
      }
      if (element instanceof Instruction instruction) {
        before = instruction;
      }
    }
    return false;
  }

  /** Switches over constants of other classes catch errors in code of the compiler. */
  private static boolean catchesError(List<CodeElement> code) {
    return code.stream()
        .filter(ExceptionCatch.class::isInstance)
        .flatMap(element -> ((ExceptionCatch) element).catchType().stream())
        .map(type -> type.asInternalName())
        .anyMatch(
            type ->
                type.startsWith("java/lang/")
                    && type.endsWith("Error")
                    && !type.endsWith("/NoSuchFieldError"));
  }

  private static Set<String> inPlugin(Predicate<List<CodeElement>> property) throws IOException {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ArchitectureRules.mainClasses("io.quickscorer.plugin")) {
      found.addAll(methods(type.getName(), property));
    }
    return found;
  }

  public void testListenersCloseHandedCharges() throws IOException {
    assertEquals(EXCEPTIONS.keySet(), inPlugin(HandedTasksTests::handsOver));
  }

  public void testTasksAnswerTheirListeners() throws IOException {
    assertEquals(PLAIN_TASKS.keySet(), inPlugin(HandedTasksTests::handsOverLambda));
  }

  public void testErrorsAreCaughtInOnePlace() throws IOException {
    assertEquals(CATCHES.keySet(), inPlugin(HandedTasksTests::catchesError));
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

    void wrappedLambda(Executor executor, ThreadContext context, ActionListener<Void> listener) {
      executor.execute(context.preserveContext(() -> work(null, listener)));
    }

    int caught(Executor executor) {
      try {
        return executor.hashCode();
      } catch (StackOverflowError e) {
        throw new IllegalArgumentException("nested too deep", e);
      }
    }
  }

  public void testTheRulesBite() throws IOException {
    String planted = "HandedTasksTests$Planted.";
    String type = Planted.class.getName();
    assertEquals(
        Set.of(planted + "withoutListener", planted + "closedInTheTask"),
        methods(type, HandedTasksTests::handsOver));
    assertEquals(
        Set.of(planted + "withoutListener", planted + "wrappedLambda"),
        methods(type, HandedTasksTests::handsOverLambda));
    assertEquals(Set.of(planted + "caught"), methods(type, HandedTasksTests::catchesError));
  }
}
