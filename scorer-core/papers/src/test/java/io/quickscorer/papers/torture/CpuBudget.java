// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Over when this process has used so much CPU time: the same work on a busy machine as on a quiet
 * one. Asked often, it looks rarely. Safe for use by several threads.
 */
final class CpuBudget implements BooleanSupplier {
  private static final long NANOS_BETWEEN_LOOKS = 20_000_000;

  private final long millis;
  private final long start = System.nanoTime();
  private volatile long nextLook = start;
  private volatile boolean over;

  CpuBudget(long millis) {
    this.millis = millis;
  }

  @Override
  public boolean getAsBoolean() {
    long now = System.nanoTime();
    if (!over && now >= nextLook) {
      nextLook = now + NANOS_BETWEEN_LOOKS;
      Duration wall = Duration.ofNanos(now - start);
      over = ProcessHandle.current().info().totalCpuDuration().orElse(wall).toMillis() >= millis;
    }
    return over;
  }
}
