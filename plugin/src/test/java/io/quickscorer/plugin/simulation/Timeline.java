// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.opensearch.cluster.coordination.DeterministicTaskQueue;
import org.opensearch.common.settings.Settings;

/**
 * The events of a simulation in the order of simulated time, in milliseconds. Events of the same
 * moment run in an order drawn from the seed. For one thread.
 */
final class Timeline extends DeterministicTaskQueue {
  private record Event(long time, int order, long number, Runnable task) {}

  private final Random random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingLong(Event::time)
              .thenComparingInt(Event::order)
              .thenComparingLong(Event::number));

  private long now;
  private long number;

  Timeline(Random random) {
    super(Settings.EMPTY, random);
    this.random = random;
  }

  @Override
  public long getCurrentTimeMillis() {
    return now;
  }

  @Override
  public void scheduleNow(Runnable task) {
    scheduleAt(now, task);
  }

  @Override
  public void scheduleAt(long time, Runnable task) {
    events.add(new Event(Math.max(time, now), random.nextInt(), number++, task));
  }

  /** How many events have been scheduled. */
  long scheduled() {
    return number;
  }

  /** Runs the events up to a moment, which becomes the current one. */
  void runUntil(long time) {
    while (!events.isEmpty() && events.peek().time <= time) {
      Event next = events.poll();
      now = next.time;
      next.task.run();
    }
    now = time;
  }
}
