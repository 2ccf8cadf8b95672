// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/** Creates progress bars for the terminal. */
public final class Progress {
  private Progress() {}

  /** Returns a progress bar on standard output; without a terminal, it prints a line every 5 s. */
  public static ProgressBar bar(String label, long size) {
    boolean terminal = System.console() != null && System.console().isTerminal();
    ProgressBarConsumer consumer =
        terminal
            ? new ConsoleProgressBarConsumer(System.out)
            : new DelegatingProgressBarConsumer(System.out::println, 100);
    return new ProgressBarBuilder()
        .setTaskName("    " + label)
        .setInitialMax(size)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(terminal ? 250 : 5000)
        .setConsumer(consumer)
        .build();
  }
}
