package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.plan.BatchPlans;
import io.quickscorer.testing.HeapWalk;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compilations can be followed and stopped, and their results say what they take. */
final class CompileProgressTest {
  private static final int TREES = 200;

  /** Small objects, headers and padding are not counted one by one. */
  private static final double NEAR = 1.1;

  private final TreeEnsemble ensemble =
      RandomEnsembles.of(Seeds.random("progress"))
          .trees(TREES)
          .features(30)
          .thresholds(100)
          .leaves(32, 64)
          .build();

  private Stream<Algorithm> algorithms() {
    return Stream.of(Algorithm.values())
        .filter(algorithm -> algorithm != Algorithm.LINEAR && !algorithm.label().startsWith("gpu"))
        .filter(this::isAvailable);
  }

  private boolean isAvailable(Algorithm algorithm) {
    try {
      ScorerCompiler.compile(ensemble, algorithm).close();
      return true;
    } catch (UnsupportedEnsembleException e) {
      return false;
    }
  }

  @TestFactory
  Stream<DynamicTest> progressRises() {
    return algorithms()
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> rises(algorithm)));
  }

  private void rises(Algorithm algorithm) {
    List<Double> shares = new ArrayList<>();
    ScorerCompiler.compile(ensemble, algorithm, CompileProgress.of(shares::add, () -> false))
        .close();
    assertEquals(shares.stream().sorted().toList(), shares);
    assertEquals(0, shares.getFirst());
    assertEquals(1, shares.getLast());
    assertTrue(shares.size() > TREES, () -> shares.size() + " reports");
    assertEquals(1, Collections.frequency(shares, 1.0), "reports of the end");
  }

  @TestFactory
  Stream<DynamicTest> cancelStops() {
    return algorithms()
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> stops(algorithm)));
  }

  /** Cancelled half-way, the very next report ends it. */
  private void stops(Algorithm algorithm) {
    List<Double> shares = new ArrayList<>();
    CompileProgress progress =
        CompileProgress.of(
            shares::add, () -> !shares.isEmpty() && shares.get(shares.size() - 1) >= 0.5);
    assertThrows(
        CancellationException.class, () -> ScorerCompiler.compile(ensemble, algorithm, progress));
    assertEquals(1, shares.stream().filter(share -> share >= 0.5).count());
    assertTrue(shares.getLast() < 1, () -> "stopped at " + shares.getLast());
  }

  @Test
  void interruptStops() {
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> ScorerCompiler.compile(ensemble, Algorithm.QS));
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void plansAreFollowedToo() {
    List<Double> shares = new ArrayList<>();
    ScorerCompiler.compile(
        ensemble,
        BatchPlans.parse("qs tau=1000 DS; from 5: bwqs tau=50 DSD d=16; from 9: pred tau=1 DS"),
        CompileProgress.of(shares::add, () -> false));
    assertEquals(shares.stream().sorted().toList(), shares);
    assertEquals(1, shares.getLast());
    assertTrue(shares.size() > 3 * TREES, () -> shares.size() + " reports");
  }

  @TestFactory
  Stream<DynamicTest> bytesAreWhatIsHeld() {
    return algorithms()
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> holds(algorithm)));
  }

  private void holds(Algorithm algorithm) {
    HeapWalk walk = new HeapWalk();
    walk.bytes(ensemble);
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
    double held = walk.bytes(scorer);
    double said = scorer.bytes();
    scorer.close();
    if (algorithm == Algorithm.CODEGEN) {
      // What it says is mostly class files, which are no objects.
      assertTrue(said > held + 20 * ensemble.shape().splits(), "at 20 bytes a split");
      assertTrue(said < held + 60 * ensemble.shape().splits(), "at 60 bytes a split");
      return;
    }
    assertTrue(
        held < NEAR * said && said < NEAR * held,
        () -> "says " + said / TREES + " bytes per tree, holds " + held / TREES);
  }
}
