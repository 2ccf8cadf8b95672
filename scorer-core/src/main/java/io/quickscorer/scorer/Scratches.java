// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import org.jspecify.annotations.Nullable;

/** The buffers of a scorer with several engines. Each engine's buffers are created at first use. */
public final class Scratches implements Scratch {
  private final @Nullable Scratch[] scratches;
  private @Nullable Algorithm lastEngine;

  public Scratches(int engines) {
    scratches = new Scratch[engines];
  }

  /**
   * Returns the buffers for one engine, and records that this engine scores the next batch.
   *
   * @param index the number of the engine among those of the scorer, from 0
   */
  public Scratch of(int index, EnsembleScorer engine) {
    lastEngine = engine.algorithm();
    Scratch scratch = scratches[index];
    if (scratch == null) {
      scratch = engine.newScratch();
      scratches[index] = scratch;
    }
    return scratch;
  }

  @Override
  public @Nullable Algorithm lastEngine() {
    return lastEngine;
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (Scratch scratch : scratches) {
      bytes += scratch == null ? 0 : scratch.bytes();
    }
    return bytes;
  }
}
