// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.memory.MemoryCharge;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.monitor.jvm.JvmInfo;

/**
 * The memory that models may take on this node: bytes are reserved before they are taken. Safe for
 * use by several threads.
 */
public final class ModelBreaker {
  /** The breaker's name: its limit is {@code breaker.quickscorer.limit}. */
  public static final String NAME = "quickscorer";

  private static final double HEAP_SHARE = 0.25;

  private final CircuitBreaker breaker;
  private volatile Runnable relief = () -> {};

  public ModelBreaker(CircuitBreaker breaker) {
    this.breaker = breaker;
  }

  /** Returns the breaker's settings: by default a quarter of the heap. */
  public static BreakerSettings settings(Settings settings) {
    long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
    BreakerSettings byDefault = new BreakerSettings(NAME, (long) (heap * HEAP_SHARE), 1.0);
    return BreakerSettings.updateFromSettings(byDefault, settings);
  }

  /** Registers an action that runs when the memory is full, to drop data that can be made again. */
  public void onFull(Runnable relief) {
    this.relief = relief;
  }

  /**
   * Reserves bytes until the charge is closed. If there are not enough, derived data is dropped
   * first.
   *
   * @param label the purpose, which messages of a failure contain
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if the limit is
   *     exceeded
   */
  public MemoryCharge reserve(long bytes, String label) {
    try {
      return MemoryCharge.take(breaker, bytes, label);
    } catch (CircuitBreakingException full) {
      relief.run();
      return MemoryCharge.take(breaker, bytes, label);
    }
  }

  /** Changes a charge to this number of bytes, like {@link #reserve}. */
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
