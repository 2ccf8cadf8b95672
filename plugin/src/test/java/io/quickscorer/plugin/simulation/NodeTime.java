// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.Random;
import org.opensearch.cluster.coordination.DeterministicTaskQueue;
import org.opensearch.common.settings.Settings;

/**
 * The part of a {@link Timeline} that belongs to one process: its events end with it, and wait
 * while it is paused.
 */
final class NodeTime extends DeterministicTaskQueue {
  /** Milliseconds until a thread takes up a task. */
  private static final int MAX_LATENCY = 3;

  private final Timeline timeline;
  private final Random random;
  private boolean ended;
  private long pausedUntil;
  private int slowness = 1;

  NodeTime(Timeline timeline, Random random) {
    super(Settings.EMPTY, random);
    this.timeline = timeline;
    this.random = random;
  }

  @Override
  public long getCurrentTimeMillis() {
    return timeline.getCurrentTimeMillis();
  }

  @Override
  public void scheduleNow(Runnable task) {
    after(random.nextInt(MAX_LATENCY * slowness), task);
  }

  @Override
  public void scheduleAt(long time, Runnable task) {
    timeline.scheduleAt(
        time,
        new Runnable() {
          @Override
          public void run() {
            if (ended) {
              return;
            }
            if (pausedUntil > getCurrentTimeMillis()) {
              timeline.scheduleAt(pausedUntil, this);
            } else {
              try {
                task.run();
              } catch (Disk.Failure e) {
                // The thread ends, the process does not.
              }
            }
          }
        });
  }

  /** Schedules a task some milliseconds from now. */
  void after(long millis, Runnable task) {
    scheduleAt(getCurrentTimeMillis() + millis, task);
  }

  /** Ends the process: none of its events run any more. */
  void end() {
    ended = true;
  }

  /** Whether the process has ended. */
  boolean hasEnded() {
    return ended;
  }

  /** Stops the process for some milliseconds. */
  void pause(long millis) {
    pausedUntil = Math.max(pausedUntil, getCurrentTimeMillis() + millis);
  }

  /** Makes threads take up tasks that many times later than usual. */
  void slowDown(int times) {
    slowness = times;
  }
}
