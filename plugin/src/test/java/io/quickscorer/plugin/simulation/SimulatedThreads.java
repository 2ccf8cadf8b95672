// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.guard.WorkPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.ExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.threadpool.ThreadPoolStats;

/** The thread pools of a simulated process: all tasks are events of its {@link NodeTime}. */
final class SimulatedThreads extends ThreadPool {
  /** Milliseconds that a task of the pools which read and compile models takes at most. */
  private static final int MAX_WORK = 1_500;

  private final NodeTime time;
  private final Random random;
  private final long skew;
  private final Map<String, ExecutorService> executors = new HashMap<>();

  /**
   * @param skew milliseconds by which the process's wall clock is ahead
   */
  SimulatedThreads(Settings settings, NodeTime time, Random random, long skew) {
    super(settings, WorkPool.builders(settings).toArray(new ExecutorBuilder<?>[0]));
    stopCachedTimeThread();
    this.time = time;
    this.random = random;
    this.skew = skew;
  }

  /** Begins at a time of day, so that no time stamp is zero. */
  private static final long EPOCH = 1_700_000_000_000L;

  @Override
  public long relativeTimeInMillis() {
    return time.getCurrentTimeMillis();
  }

  @Override
  public long relativeTimeInNanos() {
    return TimeUnit.MILLISECONDS.toNanos(relativeTimeInMillis());
  }

  @Override
  public long preciseRelativeTimeInNanos() {
    return relativeTimeInNanos();
  }

  @Override
  public long absoluteTimeInMillis() {
    return EPOCH + skew + relativeTimeInMillis();
  }

  @Override
  public ThreadPoolStats stats() {
    return new ThreadPoolStats(new ArrayList<>());
  }

  @Override
  public ExecutorService generic() {
    return executor(Names.GENERIC);
  }

  @Override
  public ExecutorService executor(String name) {
    return Names.SAME.equals(name)
        ? super.executor(name)
        : executors.computeIfAbsent(name, pool -> new Pool(work(pool)));
  }

  private static int work(String pool) {
    return pool.equals(WorkPool.LOADS.pool()) || pool.equals(WorkPool.UPLOADS.pool())
        ? MAX_WORK
        : 0;
  }

  private final class Pool extends ThreadPoolExecutor {
    private final int work;

    Pool(int work) {
      super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
      this.work = work;
    }

    @Override
    public void execute(Runnable task) {
      Runnable inContext = getThreadContext().preserveContext(task);
      if (work == 0) {
        time.scheduleNow(inContext);
      } else {
        time.after(random.nextInt(work), inContext);
      }
    }
  }

  @Override
  public ScheduledCancellable schedule(Runnable command, TimeValue delay, String executor) {
    Once task = new Once(getThreadContext().preserveContext(command));
    time.after(delay.millis(), task);
    return task;
  }

  /** A task that runs once, unless it is cancelled before. */
  private static final class Once implements Runnable, ScheduledCancellable {
    private final Runnable command;
    private boolean cancelled;
    private boolean begun;

    Once(Runnable command) {
      this.command = command;
    }

    @Override
    public void run() {
      if (!cancelled) {
        begun = true;
        command.run();
      }
    }

    @Override
    public boolean cancel() {
      boolean intime = !begun && !cancelled;
      cancelled = true;
      return intime;
    }

    @Override
    public boolean isCancelled() {
      return cancelled;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public ScheduledExecutorService scheduler() {
    return new ScheduledThreadPoolExecutor(0) {
      @Override
      public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        Once task = new Once(command);
        time.after(unit.toMillis(delay), task);
        return new Timer(task);
      }
    };
  }

  /** A task of the scheduler as the server cancels it. */
  private static final class Timer extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final Once task;

    Timer(Once task) {
      super(task, null);
      this.task = task;
    }

    @Override
    public boolean cancel(boolean interrupt) {
      return task.cancel();
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }
}
