// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.measure;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends searches at fixed times, even if earlier searches have not been answered. A latency is
 * measured from the scheduled time of the search, so that it includes the time by which the client
 * sends the search too late (no coordinated omission).
 */
final class OpenLoop {
  private OpenLoop() {}

  /**
   * Runs searches and measures their latencies.
   *
   * @param clients maximum number of concurrent searches
   * @param searches number of searches
   * @param intervalNanos time between the scheduled times of two searches in ns; 0 to search as
   *     fast as possible
   * @param search runs a search; its argument is the index of the search
   * @return the latencies in ns, ascending; measured from the scheduled times, or, if the interval
   *     is 0, from the actual starts
   */
  static long[] run(int clients, int searches, long intervalNanos, IntConsumer search)
      throws InterruptedException {
    long[] latencies = new long[searches];
    AtomicInteger next = new AtomicInteger();
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    CountDownLatch done = new CountDownLatch(clients);
    long start = System.nanoTime();
    for (int client = 0; client < clients; client++) {
      Thread.ofPlatform()
          .start(
              () -> {
                try {
                  int i;
                  while ((i = next.getAndIncrement()) < searches && failure.get() == null) {
                    long due = intervalNanos == 0 ? System.nanoTime() : start + i * intervalNanos;
                    long wait;
                    while ((wait = due - System.nanoTime()) > 0) {
                      LockSupport.parkNanos(wait);
                    }
                    search.accept(i);
                    latencies[i] = System.nanoTime() - due;
                  }
                } catch (RuntimeException e) {
                  failure.set(e);
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    Arrays.sort(latencies);
    return latencies;
  }

  /**
   * Returns a percentile of latencies, in ms.
   *
   * @param ascending the latencies in ns, ascending
   * @param share the percentile as a number from 0 to 1, such as 0.99
   */
  static double percentileMillis(long[] ascending, double share) {
    int place = (int) Math.ceil(share * ascending.length) - 1;
    return ascending[Math.max(0, place)] / 1e6;
  }
}
