// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.hamcrest.Matchers.containsString;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.util.concurrent.ListenableFuture;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.NotifyOnceListener;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Who keeps a listener for later must keep its caller's thread context with it, or a search goes on
 * with another's rights. One class does, and no other may keep any.
 */
public class ListenerRulesTests extends OpenSearchTestCase {
  private static final String KEEPER = "io.quickscorer.plugin.model.node.WaitingListeners";

  /** What somebody is called back by. */
  private static final List<Class<?>> CALLBACKS =
      List.of(ActionListener.class, Runnable.class, Consumer.class);

  /** Futures that keep listeners, and call them in the context of whoever completes them. */
  private static final List<Class<?>> FUTURES =
      List.of(ListenableFuture.class, CompletableFuture.class);

  private static final ArchRule ONE_KEEPER =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.quickscorer..")
          .should(
              new ArchCondition<JavaField>("not keep callbacks, which only " + KEEPER + " may") {
                @Override
                public void check(JavaField field, ConditionEvents events) {
                  if (keepsCallbacks(field) && !field.getOwner().getName().startsWith(KEEPER)) {
                    events.add(
                        SimpleConditionEvent.violated(field, field.getFullName() + " keeps some"));
                  }
                }
              });

  private static final Map<Class<?>, Set<String>> WAITS =
      Map.of(
          Object.class, Set.of("wait"),
          BlockingQueue.class, Set.of("put", "take"),
          Condition.class, Set.of("await", "awaitNanos", "awaitUninterruptibly", "awaitUntil"),
          LockSupport.class, Set.of("park", "parkNanos", "parkUntil"),
          Semaphore.class, Set.of("acquire", "acquireUninterruptibly"),
          Thread.class, Set.of("join", "sleep"),
          TimeUnit.class, Set.of("sleep"));

  /** A thread that waits for another one can fill a pool: the plugin uses listeners instead. */
  private static final ArchRule NO_WAITS =
      noClasses()
          .that()
          .resideInAPackage("io.quickscorer.plugin..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Future.class)
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(CountDownLatch.class, CyclicBarrier.class, Phaser.class)
          .orShould()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "wait for another thread",
                  access -> {
                    JavaClass owner = access.getTargetOwner();
                    return WAITS.entrySet().stream()
                        .anyMatch(
                            wait ->
                                owner.isAssignableTo(wait.getKey())
                                    && wait.getValue().contains(access.getName()));
                  }));

  private static boolean keepsCallbacks(JavaField field) {
    JavaClass type = field.getRawType();
    if (isOneOf(FUTURES, type)) {
      return true;
    }
    JavaClass element = type.isArray() ? type.getBaseComponentType() : type;
    boolean one = !type.isArray() && isOneOf(CALLBACKS, element);
    return !one
        && field.getAllInvolvedRawTypes().stream()
            .anyMatch(involved -> isOneOf(CALLBACKS, involved) || isOneOf(FUTURES, involved));
  }

  private static boolean isOneOf(List<Class<?>> kinds, JavaClass type) {
    return kinds.stream().anyMatch(kind -> type.isAssignableTo(kind.getName()));
  }

  /** The plugin and the libraries that it brings, as they are on the class path. */
  public void testNothingElseKeepsListeners() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.quickscorer");
    for (String module :
        List.of(
            KEEPER, "io.quickscorer.gpu.GpuProvider", "io.quickscorer.compile.ScorerCompiler")) {
      assertTrue(module, ours.contain(module));
    }
    ONE_KEEPER.check(ours);
    NO_WAITS.check(ours);
  }

  /** Each is a violation. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Planted {
    private List<ActionListener<Void>> list;
    private Map<String, NotifyOnceListener<String>> map;
    private ActionListener<Void>[] array;
    private final AtomicReference<ActionListener<?>> reference = new AtomicReference<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private ListenableFuture<String> future;
    private CompletableFuture<Void> completable;
  }

  /** Waits for the response of another thread. */
  @SuppressWarnings("unused") // read by the rule
  private static final class PlantedWait {
    String read(Consumer<ActionListener<String>> request) {
      PlainActionFuture<String> response = new PlainActionFuture<>();
      request.accept(response);
      return response.actionGet();
    }

    void permit(Semaphore permits) throws InterruptedException {
      permits.acquire();
    }

    void notice() throws InterruptedException {
      synchronized (this) {
        wait();
      }
    }

    void signal(Condition changed) throws InterruptedException {
      changed.await();
    }

    Object item(LinkedBlockingDeque<String> items) throws InterruptedException {
      return items.take();
    }
  }

  /** None is: it belongs to the one request whose object has it. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Harmless {
    private ActionListener<List<String>> one;
    private Runnable task;
    private List<String> strings;
  }

  public void testTheRuleBites() {
    JavaClasses planted = new ClassFileImporter().importClasses(Planted.class);
    AssertionError violation = expectThrows(AssertionError.class, () -> ONE_KEEPER.check(planted));
    for (var field : Planted.class.getDeclaredFields()) {
      if (!field.isSynthetic()) {
        assertThat(violation.getMessage(), containsString("Planted." + field.getName() + " keeps"));
      }
    }
    ONE_KEEPER.check(new ClassFileImporter().importClasses(Harmless.class));
    JavaClasses waiting = new ClassFileImporter().importClasses(PlantedWait.class);
    violation = expectThrows(AssertionError.class, () -> NO_WAITS.check(waiting));
    assertThat(violation.getMessage(), containsString("PlainActionFuture.actionGet()"));
    for (String method : List.of("permit", "notice", "signal", "item")) {
      assertThat(violation.getMessage(), containsString("PlantedWait." + method + "("));
    }
  }
}
