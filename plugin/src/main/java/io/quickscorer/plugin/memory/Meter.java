// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

/**
 * Counts the steps of an operation over data from outside, against a limit. A step is the unit of
 * the operation's time: a comparison, a line, an item. Used by one thread.
 */
public final class Meter {
  private final String what;
  private final long limit;
  private long steps;

  /**
   * @param what takes the steps, as the subject of a message
   * @param limit the most steps, 1 or more
   */
  public Meter(String what, long limit) {
    this.what = what;
    this.limit = limit;
  }

  /**
   * Takes a step.
   *
   * @throws IllegalArgumentException (400) if it is one too many
   */
  public void step() {
    if (++steps > limit) {
      throw new IllegalArgumentException(what + " takes more than " + limit + " steps");
    }
  }

  /** The steps taken. */
  public long steps() {
    return steps;
  }
}
