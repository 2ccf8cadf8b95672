// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import org.opensearch.core.action.ActionListener;

/** Runs an asynchronous step for several items, one item after the other. */
public final class Sequence {
  private Sequence() {}

  /** An asynchronous step that runs for each item. */
  @FunctionalInterface
  public interface Step<T> {
    /**
     * Runs the step for one item.
     *
     * @param next the listener to call when the step has ended or failed
     */
    void take(T thing, ActionListener<Void> next) throws Exception;
  }

  /**
   * Runs the step for each item; the first one starts on the caller's thread.
   *
   * @param listener called after the last item; fails at the first failure
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
     * Starts the next step. If a step calls its listener before it returns, the loop in this method
     * continues, so that calls do not nest.
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
