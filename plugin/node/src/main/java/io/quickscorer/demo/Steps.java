// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.train.trainer.Progress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import me.tongfei.progressbar.ProgressBar;

final class Steps {
  /** Number of requests at the same time: enough to occupy a small machine without long queues. */
  private static final int REQUESTS = 2;

  private int step;

  void say(String line) {
    System.out.println(line);
  }

  /** Prints the heading of the next step of the demo. */
  void next(String title) {
    step++;
    System.out.printf(Locale.ROOT, "%n[%d] %s%n", step, title);
  }

  /**
   * Calls a function for every item, {@value #REQUESTS} at a time. Returns the results in the order
   * of the items.
   */
  <T, R> List<R> forEach(String label, List<T> items, Function<T, R> work)
      throws InterruptedException {
    try (ProgressBar bar = Progress.bar(label, items.size());
        ExecutorService pool = Executors.newFixedThreadPool(REQUESTS)) {
      List<Future<R>> results =
          pool.invokeAll(
              items.stream()
                  .map(
                      item ->
                          (Callable<R>)
                              () -> {
                                R result = work.apply(item);
                                bar.step();
                                return result;
                              })
                  .toList());
      return results.stream().map(Steps::result).toList();
    }
  }

  private static <R> R result(Future<R> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
