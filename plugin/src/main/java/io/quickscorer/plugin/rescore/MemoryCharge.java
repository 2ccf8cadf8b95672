package io.quickscorer.plugin.rescore;

import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Bytes taken from a circuit breaker until they are given back. Safe for use by several threads.
 */
final class MemoryCharge implements Releasable {
  private final CircuitBreaker breaker;
  private final AtomicLong bytes;

  private MemoryCharge(CircuitBreaker breaker, long bytes) {
    this.breaker = breaker;
    this.bytes = new AtomicLong(bytes);
  }

  /**
   * Takes bytes before they are allocated.
   *
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if they are not to be
   *     had
   */
  static MemoryCharge take(CircuitBreaker breaker, long bytes, String what) {
    breaker.addEstimateBytesAndMaybeBreak(bytes, what);
    return new MemoryCharge(breaker, bytes);
  }

  /** Gives back all but this many bytes. */
  void shrinkTo(long remaining) {
    long before = bytes.getAndUpdate(held -> Math.min(held, remaining));
    if (remaining < before) {
      breaker.addWithoutBreaking(remaining - before);
    }
  }

  @Override
  public void close() {
    shrinkTo(0);
  }
}
