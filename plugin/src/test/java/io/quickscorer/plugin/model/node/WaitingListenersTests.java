// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

public class WaitingListenersTests extends OpenSearchTestCase {
  private static final String USER = "user";

  private final ThreadPool threadPool = new TestThreadPool(getTestClass().getName());
  private final ThreadContext context = threadPool.getThreadContext();
  private final List<String> answered = new ArrayList<>();

  @After
  public void stop() {
    terminate(threadPool);
  }

  private WaitingListeners waiting(TimeValue limit) {
    return new WaitingListeners(
        threadPool, () -> limit, most -> new IllegalStateException("late after " + most));
  }

  private ThreadContext.StoredContext as(String user) {
    ThreadContext.StoredContext before = context.stashContext();
    context.putHeader(Map.of(USER, user));
    return before;
  }

  private ActionListener<Void> record(String name) {
    return ActionListener.wrap(
        done -> answered.add(name + " as " + context.getHeader(USER)),
        failure -> answered.add(name + " failed as " + context.getHeader(USER)));
  }

  private WaitingListeners twoUsersWait() {
    WaitingListeners waiting = waiting(TimeValue.timeValueDays(1));
    for (String user : List.of("a", "b")) {
      try (ThreadContext.StoredContext ignored = as(user)) {
        waiting.add(record(user), randomBoolean());
      }
    }
    waiting.add(record("nobody"), randomBoolean());
    return waiting;
  }

  public void testEachIsAnsweredInItsOwnContext() {
    WaitingListeners waiting = twoUsersWait();
    try (ThreadContext.StoredContext ignored = as("loader")) {
      waiting.take().onResponse();
      assertEquals("loader", context.getHeader(USER));
    }
    assertEquals(List.of("a as a", "b as b", "nobody as null"), answered);
    assertNull(context.getHeader(USER));
    waiting.take().onResponse();
    assertEquals(3, answered.size());
  }

  public void testFailuresToo() {
    WaitingListeners waiting = twoUsersWait();
    try (ThreadContext.StoredContext ignored = as("loader")) {
      waiting.take().onFailure(new IllegalStateException("broken"));
    }
    assertEquals(List.of("a failed as a", "b failed as b", "nobody failed as null"), answered);
  }

  public void testWaitEndsAtItsLimitInItsOwnContext() {
    WaitingListeners waiting = waiting(TimeValue.timeValueMillis(1));
    PlainActionFuture<Void> late = PlainActionFuture.newFuture();
    PlainActionFuture<String> user = PlainActionFuture.newFuture();
    try (ThreadContext.StoredContext ignored = as("a")) {
      waiting.add(
          ActionListener.runBefore(late, () -> user.onResponse(context.getHeader(USER))), true);
    }
    Exception failure = expectThrows(Exception.class, () -> late.actionGet());
    assertEquals("late after 1ms", failure.getMessage());
    assertEquals("a", user.actionGet());
    assertEquals(0, waiting.size());
    waiting.take().onResponse();
  }

  public void testUnboundedWaitHasNoLimit() {
    WaitingListeners waiting = waiting(TimeValue.ZERO);
    PlainActionFuture<Void> bounded = PlainActionFuture.newFuture();
    waiting.add(record("unbounded"), false);
    waiting.add(bounded, true);
    expectThrows(IllegalStateException.class, () -> bounded.actionGet());
    assertEquals(1, waiting.size());
    waiting.take().onResponse();
    assertEquals(List.of("unbounded as null"), answered);
  }

  public void testListenerThatFailsDoesNotKeepTheNextFromItsAnswer() {
    WaitingListeners waiting = waiting(TimeValue.timeValueDays(1));
    AtomicInteger answers = new AtomicInteger();
    waiting.add(
        new ActionListener<>() {
          @Override
          public void onResponse(Void done) {
            throw new IllegalStateException("planned");
          }

          @Override
          public void onFailure(Exception failure) {
            answers.addAndGet(100);
          }
        },
        false);
    waiting.add(ActionListener.wrap(answers::incrementAndGet), false);
    waiting.take().onResponse();
    assertEquals(1, answers.get());
  }
}
