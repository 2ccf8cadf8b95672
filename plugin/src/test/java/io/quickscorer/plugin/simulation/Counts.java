// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.Locale;

/** What a simulation came to. */
final class Counts {
  int operations;
  int acknowledged;
  int elections;
  int kills;
  int faults;

  /** Names of which it was not found out whether their operations have an order. */
  int undecided;

  long millis;
  long events;

  void add(Counts other) {
    operations += other.operations;
    acknowledged += other.acknowledged;
    elections += other.elections;
    kills += other.kills;
    faults += other.faults;
    undecided += other.undecided;
    millis += other.millis;
    events += other.events;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d operations, %d acknowledged, %d elections, %d kills, %d faults, %d undecided, %d"
            + " events, %.1f hours",
        operations,
        acknowledged,
        elections,
        kills,
        faults,
        undecided,
        events,
        millis / 3_600_000.0);
  }
}
