// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls the driver in separate threads, so that the caller can continue if a device hangs. */
final class BoundedCalls {
  /** Time after which an idle thread ends. */
  private static final Duration KEPT = Duration.ofSeconds(1);

  /** Runs calls of the driver in daemon threads. */
  static final Executor THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          KEPT.toMillis(),
          TimeUnit.MILLISECONDS,
          new SynchronousQueue<>(),
          task -> {
            Thread thread = new Thread(task, "quickscorer-gpu");
            thread.setDaemon(true);
            return thread;
          });

  private BoundedCalls() {}

  /**
   * Runs a call of the driver in another thread, and returns its result.
   *
   * @param limit maximum time of the call
   * @param threads runs the call
   * @param name the driver's function, for the message of an exception
   * @throws CudaException if the call fails or exceeds the limit
   */
  static <T> T within(Duration limit, Executor threads, String name, Supplier<T> call) {
    CompletableFuture<T> result = CompletableFuture.supplyAsync(call, threads);
    boolean interrupted = false;
    int waits = 0;
    try {
      while (true) {
        try {
          return result.get(limit.toNanos() / 2, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException e) {
          // The process may have been suspended during the first wait.
          if (++waits == 2) {
            throw CudaException.hangs(name, limit);
          }
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
