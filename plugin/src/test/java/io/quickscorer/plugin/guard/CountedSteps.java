// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the steps of work. */
public final class CountedSteps {
  private CountedSteps() {}

  /** The steps that a piece of work takes, to the nearest sixteen. */
  public static long of(Runnable piece) {
    AtomicLong looks = new AtomicLong();
    try (StepLimit ignored =
        StepLimit.begin(
            () -> {
              looks.incrementAndGet();
              return false;
            })) {
      piece.run();
    }
    return StepLimit.STEPS_PER_LOOK * looks.get();
  }
}
