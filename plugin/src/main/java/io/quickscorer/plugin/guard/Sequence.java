// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Iterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.opensearch.core.action.ActionListener;

/**
 * Runs asynchronous steps one after the other. They do not nest on the stack, even if a step ends
 * on the thread that started it. {@code RecursionTests} refuses other loops of listeners.
 */
public final class Sequence {
  private Sequence() {}

  /** An asynchronous step that runs for each item. */
  @FunctionalInterface
  public interface Step<T> {
    /** Runs the step for one item, and calls {@code next} when it has ended or failed. */
    void take(T thing, ActionListener<Void> next) throws Exception;
  }

  /** A step that is repeated; it calls its listener when it has ended or failed. */
  @FunctionalInterface
  public interface Repeated {
    void take(ActionListener<Void> next) throws Exception;
  }

  /** Runs a step for each item until one fails; the first runs on the caller's thread. */
  public static <T> void each(Iterator<T> things, Step<T> step, ActionListener<Void> listener) {
    repeat(things::hasNext, next -> step.take(things.next(), next), listener);
  }

  /** Repeats a step until {@code more} is false or a step fails; starts on the caller's thread. */
  public static void repeat(BooleanSupplier more, Repeated step, ActionListener<Void> listener) {
    new Run(more, step, listener, new AtomicInteger()).go();
  }

  private record Run(
      BooleanSupplier more, Repeated step, ActionListener<Void> listener, AtomicInteger due) {
    /** Runs steps in a loop, so that calls do not nest if a step ends before it returns. */
    void go() {
      if (due.getAndIncrement() > 0) {
        return;
      }
      do {
        if (!more.getAsBoolean()) {
          listener.onResponse(null);
          return;
        }
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
