// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import java.io.Console;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows a progress bar of a benchmark on standard error, if standard error is a terminal. */
final class BenchProgress implements AutoCloseable {
  private static final int MILLIS = 200;

  private final @Nullable ProgressBar bar;
  private long expected;

  BenchProgress(String task) {
    Console console = System.console();
    bar =
        console == null || !console.isTerminal()
            ? null
            : new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(0)
                .setUpdateIntervalMillis(MILLIS)
                .setStyle(ProgressBarStyle.ASCII)
                .clearDisplayOnFinish()
                .build();
  }

  /** Increases the total number of steps of the bar. */
  void expect(int steps) {
    expected += steps;
    if (bar != null) {
      bar.maxHint(expected);
    }
  }

  /** Shows that the next step of the benchmark begins, with its name. */
  void step(String what) {
    if (bar != null) {
      bar.setExtraMessage(what).step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
