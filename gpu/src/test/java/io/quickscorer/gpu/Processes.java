// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.util.concurrent.TimeUnit;

/** Waits for processes that tests have started. */
final class Processes {
  /** So slow is no machine: what runs longer hangs. */
  private static final long MAX_MINUTES = 10;

  private Processes() {}

  /** Whether it has ended by itself; one that hangs is killed. */
  static boolean ends(Process process) throws InterruptedException {
    try {
      return process.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.destroyForcibly();
    }
  }
}
