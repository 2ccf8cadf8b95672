// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What every way to compile promises to whoever waits for it. */
public abstract class CompileProgressContract {
  protected static final int TREES = 200;

  protected final TreeEnsemble ensemble =
      RandomEnsembles.of(Seeds.random("progress"))
          .trees(TREES)
          .features(30)
          .thresholds(100)
          .leaves(32, 64)
          .build();

  /** A way to compile. */
  @FunctionalInterface
  protected interface Compilation {
    EnsembleScorer compile(TreeEnsemble ensemble, CompileProgress progress);
  }

  /** What is held to the contract, by name. */
  protected abstract Map<String, Compilation> compilations();

  @TestFactory
  Stream<DynamicTest> progressRises() {
    return compilations().entrySet().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> rises(each.getValue())));
  }

  private void rises(Compilation compilation) {
    List<Double> shares = new ArrayList<>();
    compilation.compile(ensemble, CompileProgress.of(shares::add, () -> false)).close();
    assertEquals(shares.stream().sorted().toList(), shares);
    assertEquals(0, shares.getFirst());
    assertEquals(1, shares.getLast());
    assertTrue(shares.size() > TREES, () -> shares.size() + " reports");
    assertEquals(1, Collections.frequency(shares, 1.0), "reports of the end");
  }

  @TestFactory
  Stream<DynamicTest> cancelStops() {
    return compilations().entrySet().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> stops(each.getValue())));
  }

  /** Cancelled half-way, the very next report ends it. */
  private void stops(Compilation compilation) {
    List<Double> shares = new ArrayList<>();
    CompileProgress progress =
        CompileProgress.of(
            shares::add, () -> !shares.isEmpty() && shares.get(shares.size() - 1) >= 0.5);
    assertThrows(CancellationException.class, () -> compilation.compile(ensemble, progress));
    assertEquals(1, shares.stream().filter(share -> share >= 0.5).count());
    assertTrue(shares.getLast() < 1, () -> "stopped at " + shares.getLast());
  }
}
