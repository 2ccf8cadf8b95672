// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.opensearch.core.action.ActionListener;

/**
 * Runs asynchronous steps one after the other. Calls do not nest on the stack, even if a step ends
 * on the thread that started it. {@code RecursionTests} checks that no other class has such a loop.
 */
public final class Sequence {
  private Sequence() {}

  @FunctionalInterface
  public interface Step<T> {
    /** Runs the step for one item, and calls {@code next} when it has ended or failed. */
    void take(T thing, ActionListener<Void> next) throws Exception;
  }

  /** A step that is repeated. It calls {@code next} when it has ended or failed. */
  @FunctionalInterface
  public interface Repeated {
    void take(ActionListener<Void> next) throws Exception;
  }

  /**
   * Runs a step for each item, one after the other, until one fails. The first step runs on the
   * caller's thread.
   */
  public static <T> void each(Iterator<T> things, Step<T> step, ActionListener<Void> listener) {
    AtomicLong left = new AtomicLong(Long.MAX_VALUE);
    repeat(
        () -> things.hasNext() ? left.decrementAndGet() : 0,
        next -> step.take(things.next(), next),
        listener);
  }

  /**
   * Repeats a step while {@code left} is positive and no step fails; starts on the caller's thread.
   * If a step does not make {@code left} smaller, fails with an {@link IllegalStateException}, so
   * the repetition always ends.
   *
   * @param left returns the number of remaining steps, or an upper bound
   */
  public static void repeat(LongSupplier left, Repeated step, ActionListener<Void> listener) {
    new Run(left, step, listener).go();
  }

  private static final class Run {
    private final LongSupplier left;
    private final Repeated step;
    private final ActionListener<Void> listener;
    private final AtomicInteger due = new AtomicInteger();
    private long before = Long.MAX_VALUE;

    Run(LongSupplier left, Repeated step, ActionListener<Void> listener) {
      this.left = left;
      this.step = step;
      this.listener = listener;
    }

    /**
     * Runs the steps in a loop. If a step ends during its own call, the loop starts the next step.
     */
    void go() {
      if (due.getAndIncrement() > 0) {
        return;
      }
      do {
        long now = left.getAsLong();
        if (now <= 0) {
          listener.onResponse(null);
          return;
        }
        if (now >= before) {
          listener.onFailure(
              new IllegalStateException(
                  "internal error: a step of a loop had no effect, so the loop would not end;"
                      + " report this as a bug"));
          return;
        }
        before = now;
        try {
          step.take(ActionListener.wrap(done -> go(), listener::onFailure));
        } catch (Exception e) {
          listener.onFailure(e);
          return;
        }
      } while (due.decrementAndGet() > 0);
    }
  }
}
