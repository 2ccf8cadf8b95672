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
 * Sends searches at fixed times, whether earlier ones have been answered or not. The latency of a
 * delayed search counts from its scheduled time; a client that sends one after the other would
 * leave the delay out (coordinated omission).
 */
final class OpenLoop {
  private OpenLoop() {}

  /**
   * Runs the searches.
   *
   * @param clients how many can be under way at a time
   * @param intervalNanos between two that are due; 0 for as fast as the clients can
   * @return nanoseconds from when each was due, or began if the interval is 0, until it was
   *     answered, ascending
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

  /** The least latency that a share of all, such as 0.99, does not exceed. */
  static double percentileMillis(long[] ascending, double share) {
    int place = (int) Math.ceil(share * ascending.length) - 1;
    return ascending[Math.max(0, place)] / 1e6;
  }
}
