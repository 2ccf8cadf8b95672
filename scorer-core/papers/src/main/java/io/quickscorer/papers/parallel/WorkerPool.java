// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Divides work among the calling thread and the threads of an executor. The calling thread takes
 * all parts that no other thread takes, so the work is completed even if the executor is full or
 * closed.
 */
final class WorkerPool {
  /** Processes one part. Two calls with the same worker number never run at the same time. */
  interface Work {
    void part(int worker, int part);
  }

  private final Work work;
  private final int parts;
  private final AtomicInteger next = new AtomicInteger();

  /** Number of parts that are not yet completed. */
  private final CountDownLatch open;

  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private WorkerPool(Work work, int parts) {
    this.work = work;
    this.parts = parts;
    this.open = new CountDownLatch(parts);
  }

  /**
   * Processes all parts of some work, and returns when the last part is completed.
   *
   * @param parts number of parts
   * @param work processes one part
   * @param workers maximum number of threads, including the calling thread
   */
  static void run(Executor executor, int workers, int parts, Work work) {
    WorkerPool pool = new WorkerPool(work, parts);
    for (int worker = 1; worker < Math.min(workers, parts); worker++) {
      int number = worker;
      try {
        executor.execute(() -> pool.takeParts(number));
      } catch (RejectedExecutionException e) {
        break;
      }
    }
    pool.takeParts(0);
    pool.await();
  }

  private void takeParts(int worker) {
    for (int part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
      try {
        if (failure.get() == null) {
          work.part(worker, part);
        }
      } catch (RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      } finally {
        open.countDown();
      }
    }
  }

  /**
   * Waits until all parts are completed, and throws the exception of the first part that failed. An
   * interrupt does not end the wait; the thread's interrupt flag is set again at the end.
   */
  private void await() {
    boolean interrupted = false;
    while (true) {
      try {
        open.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Throwable e -> throw new IllegalStateException("a worker thread failed", e);
    }
  }
}
