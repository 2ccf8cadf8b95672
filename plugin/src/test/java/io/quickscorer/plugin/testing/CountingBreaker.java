// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.testing;

import io.quickscorer.plugin.model.ModelBreaker;
import java.util.function.BooleanSupplier;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/** A breaker that counts the bytes that are charged, and refuses all of them at times. */
public final class CountingBreaker extends NoopCircuitBreaker {
  private final BooleanSupplier full;
  private long used;
  private long peak;
  private long refused;

  /**
   * @param full whether there is no memory at the moment
   */
  public CountingBreaker(BooleanSupplier full) {
    super(ModelBreaker.NAME);
    this.full = full;
  }

  @Override
  public double addEstimateBytesAndMaybeBreak(long bytes, String label) {
    if (full.getAsBoolean()) {
      refused++;
      throw new CircuitBreakingException(
          "no memory for " + label, bytes, used, Durability.TRANSIENT);
    }
    return addWithoutBreaking(bytes);
  }

  @Override
  public long addWithoutBreaking(long bytes) {
    used += bytes;
    peak = Math.max(peak, used);
    return used;
  }

  @Override
  public long getUsed() {
    return used;
  }

  /** Returns how many charges were refused. */
  public long refused() {
    return refused;
  }

  /** Returns the largest number of bytes that were charged at the same time. */
  public long peak() {
    return peak;
  }
}
