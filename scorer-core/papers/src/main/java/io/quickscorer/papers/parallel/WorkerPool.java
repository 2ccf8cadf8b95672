// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Hands the parts of one batch to the calling thread and to helpers on an executor. The caller
 * works too and takes whatever the helpers have not, so a full or a dead executor costs time only.
 */
final class WorkerPool {
  /** Does one part; a worker number is used by one thread at a time. */
  interface Work {
    void part(int worker, int part);
  }

  private final Work work;
  private final int parts;
  private final AtomicInteger next = new AtomicInteger();
  private final CountDownLatch open;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  private WorkerPool(Work work, int parts) {
    this.work = work;
    this.parts = parts;
    this.open = new CountDownLatch(parts);
  }

  /**
   * Does all parts and returns when the last one is done.
   *
   * @param workers threads, the caller among them
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
   * Waits for all parts. An interrupt does not end the wait, because parts are short; the thread
   * stays interrupted.
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
