// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the steps of work. */
public final class WorkSteps {
  private WorkSteps() {}

  /** The steps that a piece of work takes, to the nearest sixteen. */
  public static long of(Runnable piece) {
    AtomicLong looks = new AtomicLong();
    try (Work ignored =
        Work.begin(
            () -> {
              looks.incrementAndGet();
              return false;
            })) {
      piece.run();
    }
    return Work.STEPS_PER_LOOK * looks.get();
  }
}
