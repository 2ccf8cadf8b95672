// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class StepLimitTests extends OpenSearchTestCase {
  private static final Settings ONE_PROCESSOR =
      Settings.builder().put(OpenSearchExecutors.NODE_PROCESSORS_SETTING.getKey(), 1).build();

  private ThreadPool pools;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    pools =
        new TestThreadPool(
            getTestName(),
            ONE_PROCESSOR,
            WorkPool.builders(ONE_PROCESSOR).toArray(ExecutorBuilder<?>[]::new));
  }

  @Override
  public void tearDown() throws Exception {
    terminate(pools);
    super.tearDown();
  }

  private static void loop() {
    for (int i = 0; i < 2 * StepLimit.STEPS_PER_LOOK; i++) {
      StepLimit.step();
    }
  }

  public void testLoopsEndWithTheirRequest() {
    StepLimit.step();
    try (StepLimit ignored = StepLimit.begin(() -> true)) {
      expectThrows(TaskCancelledException.class, StepLimitTests::loop);
      try (StepLimit inner = StepLimit.begin(() -> false)) {
        loop();
      }
      expectThrows(TaskCancelledException.class, StepLimitTests::loop);
    }
    loop();
  }

  /** Those that read what a node wrote take a failure for damage. */
  public void testWhatANodeWroteIsReadToItsEnd() {
    String map = "{\"a\":[" + "1,".repeat(2 * StepLimit.STEPS_PER_LOOK) + "1]}";
    try (StepLimit ignored = StepLimit.begin(() -> true)) {
      assertEquals(1, Door.ownMap(XContentType.JSON, new BytesArray(map)).size());
    }
  }

  public void testStepsThatAreAnsweredAtOnceDoNotNest() {
    PlainActionFuture<Void> done = new PlainActionFuture<>();
    int[] taken = {0};
    Sequence.each(
        Collections.nCopies(100_000, "thing").iterator(),
        (thing, next) -> {
          taken[0]++;
          next.onResponse(null);
        },
        done);
    done.actionGet();
    assertEquals(100_000, taken[0]);
  }

  /** A step that starts itself again without an effect would never end. */
  public void testARepetitionWithoutAnEffectFails() {
    PlainActionFuture<Void> done = new PlainActionFuture<>();
    int[] left = {5};
    Sequence.repeat(
        () -> left[0],
        next -> {
          left[0] = Math.max(2, left[0] - 1);
          next.onResponse(null);
        },
        done);
    IllegalStateException refused = expectThrows(IllegalStateException.class, done::actionGet);
    assertEquals(
        "internal error: a step of a loop had no effect, so the loop would not end; report this as"
            + " a bug",
        refused.getMessage());
    assertEquals(2, left[0]);
  }

  public void testTooManyStepsAreRefused() {
    try (StepLimit work = StepLimit.begin(() -> false)) {
      work.steps = StepLimit.MAX_STEPS - 2 * StepLimit.STEPS_PER_LOOK;
      loop();
      IllegalArgumentException refused =
          expectThrows(IllegalArgumentException.class, StepLimitTests::loop);
      assertTrue(
          refused.getMessage(), refused.getMessage().contains("steps; make the request smaller"));
    }
  }

  public void testWhatIsReadTakesSteps() {
    String items = "0,".repeat(100) + "0";
    try (StepLimit ignored = StepLimit.begin(() -> true);
        MemoryCharge memory =
            MemoryCharge.none(new NoopCircuitBreaker(CircuitBreaker.REQUEST), "body")) {
      expectThrows(
          TaskCancelledException.class,
          () ->
              Door.body(
                  XContentType.JSON,
                  new BytesArray("{\"items\":[" + items + "]}"),
                  memory,
                  in -> in.map()));
    }
  }

  private static final class Wanted extends CancellableTask {
    Wanted() {
      super(1, "transport", "action", "", TaskId.EMPTY_TASK_ID, Map.of());
    }

    @Override
    public boolean shouldCancelChildrenOnCancellation() {
      return false;
    }
  }

  /** From the action's own thread to that of a pool, and from there to a listener's. */
  public void testTheCancellationOfATaskGoesWithItsWork() {
    Wanted task = new Wanted();
    PlainActionFuture<Void> answer = PlainActionFuture.newFuture();
    List<BooleanSupplier> seen = new ArrayList<>();
    new GuardedActions()
        .<ActionRequest, ActionResponse>apply(
            task,
            "cluster:admin/quickscorer/test",
            null,
            ActionRequestMetadata.empty(),
            ActionListener.wrap(done -> {}, failure -> {}),
            (running, action, request, listener) ->
                WorkPool.UPLOADS
                    .of(pools)
                    .execute(
                        ActionRunnable.wrap(
                            answer,
                            l -> {
                              seen.add(StepLimit.cancellation());
                              ActionListener<Void> guarded =
                                  Guard.listener(
                                      () -> "the answer",
                                      ActionListener.wrap(
                                          found -> {
                                            seen.add(StepLimit.cancellation());
                                            l.onResponse(null);
                                          },
                                          l::onFailure));
                              pools
                                  .executor(ThreadPool.Names.GENERIC)
                                  .execute(() -> guarded.onResponse(null));
                            })));
    answer.actionGet();
    assertEquals(2, seen.size());
    seen.forEach(cancelled -> assertFalse(cancelled.getAsBoolean()));
    task.cancel("test");
    seen.forEach(cancelled -> assertTrue(cancelled.getAsBoolean()));
    assertFalse(StepLimit.cancellation().getAsBoolean());
  }

  /** In each kind of work, one task that is slow holds up no other. */
  public void testASlowTaskIsMovedAside() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try {
      List<PlainActionFuture<Void>> answers = new ArrayList<>();
      for (WorkPool kind : WorkPool.values()) {
        PlainActionFuture<Void> answer = PlainActionFuture.newFuture();
        kind.of(pools).execute(() -> held(over));
        kind.of(pools).execute(ActionRunnable.run(answer, () -> {}));
        answers.add(answer);
      }
      answers.forEach(answer -> answer.actionGet(60, TimeUnit.SECONDS));
    } finally {
      over.countDown();
    }
    for (WorkPool kind : WorkPool.values()) {
      ThreadPoolExecutor threads = (ThreadPoolExecutor) pools.executor(kind.pool());
      assertBusy(() -> assertEquals(1, threads.getCorePoolSize()), 60, TimeUnit.SECONDS);
      // A task that ends changes this number after the other one.
      assertBusy(() -> assertEquals(1, threads.getMaximumPoolSize()), 60, TimeUnit.SECONDS);
    }
  }

  private static void held(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
