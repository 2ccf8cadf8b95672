// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import java.util.Iterator;
import org.opensearch.core.action.ActionListener;

/** What is done for several things, one after the other. */
public final class Sequence {
  private Sequence() {}

  /** Does it for one of them. */
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
    if (!things.hasNext()) {
      listener.onResponse(null);
      return;
    }
    ActionListener<Void> next =
        ActionListener.wrap(done -> each(things, step, listener), listener::onFailure);
    try {
      step.take(things.next(), next);
    } catch (Exception e) {
      listener.onFailure(e);
    }
  }
}
