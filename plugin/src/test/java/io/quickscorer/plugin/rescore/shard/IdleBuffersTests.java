// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

public class IdleBuffersTests extends OpenSearchTestCase {
  private static final ModelId MODEL = new ModelId("ranker", "1");

  private final CircuitBreaker breaker =
      new HierarchyCircuitBreakerService(
              Settings.EMPTY,
              List.of(new BreakerSettings("models", 1 << 26, 1.0)),
              new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
          .getBreaker("models");
  private final Set<ModelId> dead = new HashSet<>();
  private final Set<EnsembleScorer> replaced = new HashSet<>();
  private final IdleBuffers buffers =
      new IdleBuffers(
          () -> new ModelBreaker(breaker),
          id -> !dead.contains(id),
          (id, scorer) -> !dead.contains(id) && !replaced.contains(scorer));

  private static EnsembleScorer scorer() {
    return ScorerCompiler.compile(
        RandomEnsembles.of(new SplittableRandom(randomLong())).trees(5).build(),
        Algorithm.BIT_SLICED);
  }

  public void testTheNextWindowOfTheSameScorerGetsThem() {
    EnsembleScorer scorer = scorer();
    Scratch first = buffers.takeScratch(scorer);
    assertEquals("in use they are the window's", 0, breaker.getUsed());
    buffers.keep(MODEL, scorer, first);
    assertEquals(first.bytes(), breaker.getUsed());
    assertNotSame("another scorer has its own", first, buffers.takeScratch(scorer()));
    assertSame(first, buffers.takeScratch(scorer));
    assertEquals(0, breaker.getUsed());
    assertNotSame("one window at a time", first, buffers.takeScratch(scorer));
  }

  public void testAFewAreKept() {
    EnsembleScorer scorer = scorer();
    List<Scratch> taken = new ArrayList<>();
    int many = 4 * Math.max(4, Runtime.getRuntime().availableProcessors());
    for (int i = 0; i < many; i++) {
      taken.add(buffers.takeScratch(scorer));
    }
    taken.forEach(scratch -> buffers.keep(MODEL, scorer, scratch));
    assertEquals(taken.getFirst().bytes() * many / 4, breaker.getUsed());
    assertSame("the one that was used last", taken.getLast(), buffers.takeScratch(scorer));
    buffers.keep(MODEL, scorer, () -> 1L << 30);
    assertEquals("too large", taken.getFirst().bytes() * (many / 4 - 1), breaker.getUsed());
    buffers.clear();
    assertEquals(0, breaker.getUsed());
  }

  public void testTheyGoWithTheirModel() {
    EnsembleScorer scorer = scorer();
    ModelId other = new ModelId("ranker", "2");
    Scratch first = buffers.takeScratch(scorer);
    Scratch second = buffers.takeScratch(scorer);
    buffers.keep(MODEL, scorer, first);
    buffers.keep(other, scorer, second);
    dead.add(MODEL);
    buffers.purge();
    assertEquals(second.bytes(), breaker.getUsed());
    Scratch late = buffers.takeScratch(scorer);
    assertSame(second, late);
    dead.add(other);
    buffers.keep(other, scorer, late);
    assertEquals("a search that ended after its model", 0, breaker.getUsed());
  }

  /** They refer to it: it would stay in memory that nobody is charged for. */
  public void testTheyGoWithTheirEngine() {
    EnsembleScorer former = scorer();
    EnsembleScorer now = scorer();
    Scratch idle = buffers.takeScratch(former);
    Scratch used = buffers.takeScratch(former);
    Scratch kept = buffers.takeScratch(now);
    buffers.keep(MODEL, former, idle);
    buffers.keep(MODEL, now, kept);
    replaced.add(former);
    buffers.purge();
    assertEquals(kept.bytes(), breaker.getUsed());
    buffers.keep(MODEL, former, used);
    assertEquals("a search that ended after its engine", kept.bytes(), breaker.getUsed());
  }

  public void testMatricesOfAsManyFeatures() {
    FeatureMatrix first = buffers.takeMatrix(3, 100);
    Arrays.fill(first.values(), 7);
    buffers.keep(MODEL, first);
    assertEquals((long) first.values().length * Float.BYTES, breaker.getUsed());
    assertNotSame("other features", first, buffers.takeMatrix(4, 50));
    assertNotSame("more documents", first, buffers.takeMatrix(3, 200));
    FeatureMatrix again = buffers.takeMatrix(3, 50);
    assertSame(first, again);
    assertEquals("in use it is the window's", 0, breaker.getUsed());
    assertEquals(50, again.documents());
    for (int f = 0; f < 3; f++) {
      assertEquals("what it held is gone", 0, again.get(49, f), 0);
    }
    buffers.keep(MODEL, again);
    dead.add(MODEL);
    buffers.purge();
    assertEquals(0, breaker.getUsed());
  }
}
