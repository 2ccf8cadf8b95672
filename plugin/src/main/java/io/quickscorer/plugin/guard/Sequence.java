// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.core.action.ActionListener;

/** Runs an asynchronous step for several things, one after the other. */
public final class Sequence {
  private Sequence() {}

  /** Runs the step for one item. */
  @FunctionalInterface
  public interface Step<T> {
    /**
     * @param next to be answered when it is done, or failed
     */
    void take(T thing, ActionListener<Void> next) throws Exception;
  }

  /**
   * Begins with the first, on the caller's thread.
   *
   * @param listener answered after the last; fails with the first failure
   */
  public static <T> void each(Iterator<T> things, Step<T> step, ActionListener<Void> listener) {
    new Run<>(things, step, listener).go();
  }

  private record Run<T>(
      Iterator<T> things, Step<T> step, ActionListener<Void> listener, AtomicInteger due) {
    Run(Iterator<T> things, Step<T> step, ActionListener<Void> listener) {
      this(things, step, listener, new AtomicInteger());
    }

    /**
     * Starts the next step. If a step is answered before it returns, the loop that started it
     * continues, without a deeper call.
     */
    void go() {
      if (due.getAndIncrement() > 0) {
        return;
      }
      do {
        if (!things.hasNext()) {
          listener.onResponse(null);
          return;
        }
        try {
          step.take(things.next(), ActionListener.wrap(done -> go(), listener::onFailure));
        } catch (Exception e) {
          listener.onFailure(e);
          return;
        }
      } while (due.decrementAndGet() > 0);
    }
  }
}
