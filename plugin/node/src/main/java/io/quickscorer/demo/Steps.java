// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.train.trainer.Progress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
   *
   * @throws CompletionException if a call fails, with the exception of the call as its cause
   */
  <T, R> List<R> forEach(String label, List<T> items, Function<T, R> work) {
    try (ProgressBar bar = Progress.bar(label, items.size());
        ExecutorService pool = Executors.newFixedThreadPool(REQUESTS)) {
      List<CompletableFuture<R>> results =
          items.stream()
              .map(
                  item ->
                      CompletableFuture.supplyAsync(
                          () -> {
                            R result = work.apply(item);
                            bar.step();
                            return result;
                          },
                          pool))
              .toList();
      return results.stream().map(CompletableFuture::join).toList();
    }
  }
}
