// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.memory.MemoryCharge;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.monitor.jvm.JvmInfo;

/**
 * Limits the memory of the models on this node with a circuit breaker. Memory is charged at the
 * breaker before it is allocated. Safe for use by several threads.
 */
public final class ModelBreaker {
  /**
   * The name of the circuit breaker that limits the memory of models. The setting {@code
   * breaker.quickscorer.limit} is the limit.
   */
  public static final String NAME = "quickscorer";

  private static final double HEAP_SHARE = 0.25;

  private final CircuitBreaker breaker;
  private volatile Runnable relief = () -> {};

  public ModelBreaker(CircuitBreaker breaker) {
    this.breaker = breaker;
  }

  /**
   * Returns the settings of the circuit breaker that limits the memory of models. The default limit
   * is a quarter of the heap.
   */
  public static BreakerSettings settings(Settings settings) {
    long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
    BreakerSettings byDefault = new BreakerSettings(NAME, (long) (heap * HEAP_SHARE), 1.0);
    return BreakerSettings.updateFromSettings(byDefault, settings);
  }

  /**
   * Sets the action that releases memory. The action runs if a charge would exceed the breaker's
   * limit.
   */
  public void onFull(Runnable relief) {
    this.relief = relief;
  }

  /**
   * Charges memory at the circuit breaker until the returned object is closed. If the limit would
   * be exceeded, runs the action of {@link #onFull} and tries again.
   *
   * @param label the purpose of the memory, for messages
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) above the limit
   */
  public MemoryCharge reserve(long bytes, String label) {
    try {
      return MemoryCharge.take(breaker, bytes, label);
    } catch (CircuitBreakingException full) {
      relief.run();
      return MemoryCharge.take(breaker, bytes, label);
    }
  }

  /**
   * Changes the number of bytes of a charge. If the limit would be exceeded, fails as {@link
   * #reserve} does.
   */
  public void resize(MemoryCharge charge, long bytes) {
    try {
      charge.resize(bytes);
    } catch (CircuitBreakingException full) {
      relief.run();
      charge.resize(bytes);
    }
  }

  public CircuitBreaker breaker() {
    return breaker;
  }
}
