// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The independent parts of some work, which several threads take one by one. Safe for use by
 * several threads.
 */
public final class Parts {
  private final int count;
  private final AtomicInteger next = new AtomicInteger();

  Parts(int count) {
    this.count = count;
  }

  /**
   * Takes the next part, which no other caller gets. Returns its index, from 0, or -1 if no part is
   * left.
   */
  public int next() {
    return isOpen() ? taken(next.getAndIncrement()) : -1;
  }

  private int taken(int part) {
    return part < count ? part : -1;
  }

  /** Returns whether there is a part that no thread has taken. */
  boolean isOpen() {
    return next.get() < count;
  }

  /** Discards the parts that no thread has taken. */
  void stop() {
    next.set(count);
  }
}
