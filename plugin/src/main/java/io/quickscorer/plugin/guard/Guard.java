// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.common.CheckedConsumer;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.CheckedSupplier;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.lease.Releasables;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.AbstractRunnable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Runs the plugin's code, and turns each {@link Error} in it into a {@link CaughtError}. So a
 * request fails instead of the node. All code that the server calls must run within this class;
 * {@code GuardRulesTests} checks this.
 */
public final class Guard {
  private static final Logger LOGGER = LogManager.getLogger(Guard.class);

  static {
    CaughtError.prepare();
  }

  private Guard() {}

  /**
   * Runs code, and returns its result. If the code throws an {@link Error}, throws a {@link
   * CaughtError} instead.
   *
   * @param what returns the name of the code, as the subject of a message
   */
  public static <T, E extends Exception> T call(Supplier<String> what, CheckedSupplier<T, E> work)
      throws E {
    try (Releasable ignored = StepLimit.enter()) {
      return work.get();
    } catch (Error e) {
      throw caught(what, e);
    }
  }

  /**
   * Runs code without a result. If the code throws an {@link Error}, throws a {@link CaughtError}
   * instead.
   *
   * @param what returns the name of the code, as the subject of a message
   */
  public static <E extends Exception> void run(Supplier<String> what, CheckedRunnable<E> work)
      throws E {
    try (Releasable ignored = StepLimit.enter()) {
      work.run();
    } catch (Error e) {
      throw caught(what, e);
    }
  }

  private static CaughtError caught(Supplier<String> what, Error error) {
    CaughtError caught = CaughtError.of(what, error);
    LOGGER.error(
        "a request or task failed with [" + error.getClass().getName() + "]; the node continues",
        caught);
    return caught;
  }

  /**
   * Wraps a listener so that an {@link Error} in its response handler is passed to its failure
   * handler. The response handler has the limits of {@link StepLimit}, and stops if the current
   * request is cancelled.
   */
  public static <T> ActionListener<T> listener(Supplier<String> what, ActionListener<T> listener) {
    BooleanSupplier cancelled = StepLimit.cancellation();
    return new ActionListener<>() {
      @Override
      public void onResponse(T response) {
        try (StepLimit ignored = StepLimit.begin(cancelled)) {
          listener.onResponse(response);
        } catch (Error e) {
          onFailure(caught(what, e));
        }
      }

      @Override
      public void onFailure(Exception failure) {
        run(what, () -> listener.onFailure(failure));
      }
    };
  }

  /**
   * Returns a failure handler that runs {@code step}. If the step throws an exception, the listener
   * gets it, so that the request is always answered.
   */
  public static Consumer<Exception> recovery(
      ActionListener<?> listener, CheckedConsumer<Exception, Exception> step) {
    return failure -> {
      try {
        step.accept(failure);
      } catch (Exception e) {
        if (e != failure) {
          e.addSuppressed(failure);
        }
        listener.onFailure(e);
      }
    };
  }

  /**
   * Returns a listener that passes responses to {@code listener}, and runs {@code step} for a
   * failure. If the step throws an exception, {@code listener} gets this exception.
   */
  public static <T> ActionListener<T> recovering(
      ActionListener<T> listener, BiConsumer<ActionListener<T>, Exception> step) {
    return ActionListener.delegateResponse(
        listener, (l, failure) -> recovery(l, f -> step.accept(l, f)).accept(failure));
  }

  /**
   * Returns a proxy for an object that the server calls. The proxy catches errors in its methods.
   */
  public static <T> T entry(Class<T> entry, T called) {
    Supplier<String> what = () -> called.getClass().getSimpleName();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            return method.invoke(called, arguments);
          } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
              throw caught(what, error);
            }
            throw e.getCause();
          }
        };
    return entry.cast(
        Proxy.newProxyInstance(Guard.class.getClassLoader(), new Class<?>[] {entry}, handler));
  }

  /** Returns the filter that catches errors in all actions of the plugin. */
  public static ActionFilter actions() {
    return new GuardedActions();
  }

  /** Adds handlers for the result and the failure of a step, and catches errors in both. */
  public static <T> void then(
      StepListener<T> step, CheckedConsumer<T, Exception> next, Consumer<Exception> failed) {
    step.whenComplete(
        result -> run(() -> "the next step", () -> next.accept(result)),
        failure -> run(() -> "the handling of a failure", () -> failed.accept(failure)));
  }

  /**
   * Returns an executor that runs tasks in a thread pool and catches errors in them; an {@link
   * AbstractRunnable} gets the error in its failure handler. A task stops if the request that
   * submitted it is cancelled.
   */
  public static Executor executor(ThreadPool pools, String pool) {
    return executor(pools, pool, threads -> () -> {});
  }

  /**
   * Returns an executor as {@link #executor(ThreadPool, String)} does, whose tasks hold a resource
   * while they run.
   *
   * @param turn acquires the resource on the task's thread; its parameter is the pool's executor
   */
  static Executor executor(
      ThreadPool pools, String pool, Function<ExecutorService, Releasable> turn) {
    ExecutorService executor = pools.executor(pool);
    Supplier<String> what = () -> "a task of the pool [" + pool + "]";
    return task -> {
      BooleanSupplier cancelled = StepLimit.cancellation();
      Supplier<Releasable> piece =
          () -> {
            StepLimit limit = StepLimit.begin(cancelled);
            Releasable resource = turn.apply(executor);
            return () -> Releasables.close(resource, limit);
          };
      executor.execute(guarded(what, task, piece));
    };
  }

  private static Runnable guarded(
      Supplier<String> what, Runnable task, Supplier<Releasable> piece) {
    if (!(task instanceof AbstractRunnable answering)) {
      return () -> {
        try (Releasable ignored = piece.get()) {
          logged(what, task);
        }
      };
    }
    return new AbstractRunnable() {
      @Override
      protected void doRun() {
        try (Releasable ignored = piece.get()) {
          Guard.run(what, answering::run);
        }
      }

      @Override
      public void onFailure(Exception failure) {
        Guard.run(what, () -> answering.onFailure(failure));
      }

      @Override
      public void onAfter() {
        // The task calls its own onAfter.
      }

      @Override
      public void onRejection(Exception failure) {
        answering.onRejection(failure);
      }

      @Override
      public boolean isForceExecution() {
        return answering.isForceExecution();
      }
    };
  }

  private static void logged(Supplier<String> what, Runnable task) {
    try {
      run(what, task::run);
    } catch (CaughtError e) {
      LOGGER.debug("a task failed with an error that is already logged", e);
    }
  }

  /**
   * Runs a task once after a delay, on the server's pool {@code generic}, and catches its errors.
   */
  public static Scheduler.ScheduledCancellable schedule(
      ThreadPool pools, Runnable task, TimeValue delay) {
    return pools.schedule(
        guarded(() -> "a scheduled task", task, StepLimit::enter), delay, ThreadPool.Names.GENERIC);
  }

  /**
   * Runs a task repeatedly, on the server's pool {@code generic}, with a pause after each run.
   * Errors are caught.
   */
  public static Scheduler.Cancellable repeat(ThreadPool pools, Runnable task, TimeValue interval) {
    return pools.scheduleWithFixedDelay(
        () -> logged(() -> "a repeated task", task), interval, ThreadPool.Names.GENERIC);
  }
}
