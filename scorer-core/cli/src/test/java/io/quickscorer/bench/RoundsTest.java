// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
  private static final class Counting implements Contender {
    private final int threads;
    private final int[] calls = new int[3];
    private volatile double[] scores = {};

    Counting(int threads) {
      this.threads = threads;
    }

    @Override
    public Label label() {
      return new Label("counting", 0, null, threads, null);
    }

    @Override
    public double[] score(int batch) {
      calls[batch]++;
      scores = new double[1000];
      return scores;
    }
  }

  @Test
  void everyBatchHasItsTurn() {
    Counting alone = new Counting(1);
    Counting parallel = new Counting(2);
    List<String> steps = new ArrayList<>();
    Rounds rounds = new Rounds(5, 0, 100_000);
    List<Timing> timings = rounds.time(List.of(alone, parallel), 10, 3, steps::add);
    assertEquals(rounds.steps(2), steps.size());
    for (Counting contender : List.of(alone, parallel)) {
      int least = Math.min(contender.calls[0], Math.min(contender.calls[1], contender.calls[2]));
      assertTrue(least > 0 && contender.calls[0] - least <= 1);
    }
    for (Timing timing : timings) {
      assertEquals(5, timing.turns().length);
    }
    // 8,016 bytes in every call for ten documents.
    assertEquals(801.6, timings.getFirst().allocatedPerDocument(), 1);
  }
}
