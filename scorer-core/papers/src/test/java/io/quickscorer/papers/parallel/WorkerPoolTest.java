// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

final class WorkerPoolTest {
  @Test
  void everyPartIsDoneOnce() {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      for (int parts : new int[] {0, 1, 2, 1000}) {
        AtomicIntegerArray done = new AtomicIntegerArray(Math.max(1, parts));
        WorkerPool.run(executor, 4, parts, (worker, part) -> done.incrementAndGet(part));
        for (int part = 0; part < parts; part++) {
          assertEquals(1, done.get(part));
        }
      }
    }
  }

  @Test
  void theCallerDoesWhatNobodyTakes() {
    int[] done = new int[1];
    WorkerPool.run(task -> {}, 4, 10, (worker, part) -> done[0] += part);
    WorkerPool.run(
        task -> {
          throw new RejectedExecutionException();
        },
        4,
        10,
        (worker, part) -> done[0] += part);
    assertEquals(90, done[0]);
  }

  @Test
  void aLateHelperFindsNothing() {
    Runnable[] late = new Runnable[1];
    int[] done = new int[1];
    WorkerPool.run(task -> late[0] = task, 2, 5, (worker, part) -> done[0]++);
    late[0].run();
    assertEquals(5, done[0]);
  }

  @Test
  void aFailureReachesTheCaller() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                WorkerPool.run(
                    Runnable::run,
                    2,
                    3,
                    (worker, part) -> {
                      throw new IllegalStateException("part " + part);
                    }));
    assertEquals("part 0", e.getMessage());
  }

  @Test
  void anErrorOfAHelperIsNoErrorOfTheCaller() {
    IllegalStateException e =
        assertThrows(
            IllegalStateException.class,
            () ->
                WorkerPool.run(
                    Runnable::run,
                    1,
                    1,
                    (worker, part) -> {
                      throw new StackOverflowError();
                    }));
    assertTrue(e.getCause() instanceof StackOverflowError);
  }
}
