// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.instanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class GuardTests extends OpenSearchTestCase {
  private static int deep(int levels) {
    return levels == 0 ? 0 : 1 + deep(levels - 1);
  }

  private static void overflow() {
    deep(Integer.MAX_VALUE);
  }

  private static CaughtError caught(Error error) {
    return expectThrows(
        CaughtError.class,
        () ->
            Guard.run(
                () -> "the model",
                () -> {
                  throw error;
                }));
  }

  public void testAnErrorIsARefusal() {
    CaughtError overflow =
        expectThrows(CaughtError.class, () -> Guard.run(() -> "the model", GuardTests::overflow));
    assertEquals(RestStatus.BAD_REQUEST, overflow.status());
    assertEquals("the model is nested too deep", overflow.getMessage());
    assertEquals(
        RestStatus.INTERNAL_SERVER_ERROR, caught(new NoClassDefFoundError("absent")).status());
    // The server halts the node for an error that is the cause of an exception.
    assertFalse(ExceptionsHelper.maybeError(overflow).isPresent());
  }

  public void testOneTooLargeAllocationIsARefusal() {
    Callable<int[][]> large = () -> new int[Integer.MAX_VALUE / 2][Integer.MAX_VALUE / 2];
    CaughtError refused =
        expectThrows(CaughtError.class, () -> Guard.call(() -> "the body", large::call));
    assertEquals(RestStatus.TOO_MANY_REQUESTS, refused.status());
    assertThat(refused.getMessage(), containsString("the body needs a single allocation"));
  }

  public void testTheEndOfTheJvmIsNotHidden() {
    InternalError end = new InternalError("end");
    assertSame(
        end,
        expectThrows(
            InternalError.class,
            () ->
                Guard.run(
                    () -> "it",
                    () -> {
                      throw end;
                    })));
  }

  public void testAListenerFailsByItsOwnError() {
    List<Exception> failures = new ArrayList<>();
    Guard.listener(
            () -> "the answer", ActionListener.<Void>wrap(answer -> overflow(), failures::add))
        .onResponse(null);
    StepListener<Void> step = new StepListener<>();
    Guard.then(step, answer -> overflow(), failures::add);
    step.onResponse(null);
    assertEquals(2, failures.size());
    failures.forEach(failure -> assertThat(failure, instanceOf(CaughtError.class)));
  }

  public void testATaskOfAPoolFailsByItsOwnError() throws Exception {
    ThreadPool pools = new TestThreadPool(getTestName(), Settings.EMPTY);
    try {
      PlainActionFuture<Void> answer = PlainActionFuture.newFuture();
      AtomicReference<Thread> plain = new AtomicReference<>();
      Guard.executor(pools, ThreadPool.Names.GENERIC)
          .execute(ActionRunnable.run(answer, GuardTests::overflow));
      expectThrows(CaughtError.class, answer::actionGet);
      PlainActionFuture<Void> next = PlainActionFuture.newFuture();
      Guard.executor(pools, ThreadPool.Names.GENERIC)
          .execute(
              () -> {
                plain.set(Thread.currentThread());
                next.onResponse(null);
                overflow();
              });
      next.actionGet();
      assertNotNull(plain.get());
    } finally {
      terminate(pools);
    }
  }

  /** One of the server's interfaces. */
  interface Called {
    String call(String text) throws Exception;
  }

  public void testAllMethodsOfAnEntryAreGuarded() throws Exception {
    Called entry =
        Guard.entry(
            Called.class,
            text -> {
              if (text.isEmpty()) {
                overflow();
              }
              if (text.equals("bad")) {
                throw new IllegalArgumentException(text);
              }
              return text;
            });
    assertEquals("good", entry.call("good"));
    expectThrows(IllegalArgumentException.class, () -> entry.call("bad"));
    expectThrows(CaughtError.class, () -> entry.call(""));
  }
}
