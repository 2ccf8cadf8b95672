// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.model.ModelBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

/** A breaker without a limit that knows how many bytes are charged. */
final class CountingBreaker extends NoopCircuitBreaker {
  private long used;

  CountingBreaker() {
    super(ModelBreaker.NAME);
  }

  @Override
  public double addEstimateBytesAndMaybeBreak(long bytes, String label) {
    return addWithoutBreaking(bytes);
  }

  @Override
  public long addWithoutBreaking(long bytes) {
    used += bytes;
    return used;
  }

  @Override
  public long getUsed() {
    return used;
  }
}
