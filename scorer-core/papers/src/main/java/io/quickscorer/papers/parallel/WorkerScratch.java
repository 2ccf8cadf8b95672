// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import io.quickscorer.scorer.Scratch;
import java.util.Arrays;

/**
 * Buffers of each worker.
 *
 * @param workers one scratch of the engine's per worker
 */
record WorkerScratch(Scratch[] workers) implements Scratch {
  @Override
  public long bytes() {
    return Arrays.stream(workers).mapToLong(Scratch::bytes).sum();
  }
}
