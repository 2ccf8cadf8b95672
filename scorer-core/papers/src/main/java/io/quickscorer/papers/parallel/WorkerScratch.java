// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import io.quickscorer.scorer.Scratch;
import java.util.Arrays;

/** The buffers of all workers (threads), one element for each. */
record WorkerScratch(Scratch[] workers) implements Scratch {
  @Override
  public long bytes() {
    return Arrays.stream(workers).mapToLong(Scratch::bytes).sum();
  }
}
