// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import java.util.concurrent.atomic.AtomicInteger;

/** Parts of some work that are to be done in any order. Safe for use by several threads. */
public final class Parts {
  private final int count;
  private final AtomicInteger next = new AtomicInteger();

  Parts(int count) {
    this.count = count;
  }

  /**
   * Returns the next part, counted from 0, which no other caller gets; -1 if there is none left.
   */
  public int next() {
    return isOpen() ? taken(next.getAndIncrement()) : -1;
  }

  private int taken(int part) {
    return part < count ? part : -1;
  }

  /** Returns whether a part is left. */
  boolean isOpen() {
    return next.get() < count;
  }

  /** Drops the parts that are left. */
  void stop() {
    next.set(count);
  }
}
