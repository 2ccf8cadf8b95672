// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.compile.WarmUp;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.traversal.CodegenScorer;
import io.quickscorer.papers.traversal.FlatTreeScorer;
import io.quickscorer.papers.traversal.PredScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The library finds the engines by name, and uses one of them where it has none of its own. */
final class PapersProviderTest {
  private static final EnsembleLimits LIMITS = EnsembleLimits.DEFAULT;

  private final SplittableRandom random = Seeds.random("provider");

  private static TreeEnsemble.Builder builder() {
    return TreeEnsemble.builder(
        List.of("a", "b"), new ModelSource(new ModelFormat("test"), "", ""));
  }

  private TreeEnsemble bagged() {
    TreeEnsemble trees = RandomEnsembles.of(random).trees(12).leaves(2, 9).build();
    return TreeEnsemble.builder(trees.featureNames(), trees.source())
        .trees(trees.trees())
        .treesPerBag(3, 4, 5)
        .build();
  }

  private TreeEnsemble linearLeaves() {
    List<Tree> trees = new ArrayList<>();
    TreeBuilder tree = new TreeBuilder(LIMITS, 2, false);
    for (int t = 0; t < 20; t++) {
      tree.start(t, 3);
      tree.split(0, t % 2, (float) random.nextDouble(), MissingValue.NAN_LEFT, 1, 2);
      for (int leaf = 1; leaf < 3; leaf++) {
        tree.leaf(leaf, random.nextDouble());
        tree.linearLeaf(leaf, random.nextDouble(), new int[] {0, 1}, random.doubles(2).toArray());
      }
      trees.add(tree.build(0));
    }
    return builder().trees(trees).build();
  }

  @Test
  void everyNameIsFound() {
    for (Algorithm algorithm : new PapersProvider().algorithms()) {
      assertSame(algorithm, Engines.named(algorithm.label()));
    }
    assertEquals(Engines.names().size(), Set.copyOf(Engines.names()).size());
  }

  private static Algorithm lastEngine(TreeEnsemble ensemble, Set<Algorithm> excluded) {
    EnsembleScorer auto =
        ScorerCompiler.compile(ensemble, Algorithm.CPU, excluded, CompileProgress.NONE);
    Scratch scratch = auto.newScratch();
    auto.score(
        Values.documents(Seeds.random("documents"), ensemble, 100), scratch, new double[100]);
    Algorithm last = scratch.lastEngine();
    return last == null ? auto.algorithm() : last;
  }

  @Test
  void autoWalksTreesTooLargeForBits() {
    TreeEnsemble large = RandomEnsembles.of(random).leaves(1025, 1025).build();
    assertEquals(FlatTreeScorer.STRUCT_PLUS, lastEngine(large, Set.of()));
    assertEquals(Algorithm.OBJECT, lastEngine(large, Set.of(FlatTreeScorer.STRUCT_PLUS)));
  }

  @Test
  void whatOnlyVPredTakes() {
    for (TreeEnsemble ensemble : List.of(bagged(), linearLeaves())) {
      for (Algorithm algorithm : Engines.names()) {
        boolean picks = algorithm == Algorithm.AUTO || algorithm == Algorithm.CPU;
        if (picks || algorithm == VPredScorer.ALGORITHM) {
          EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
          assertEquals(VPredScorer.ALGORITHM, scorer.algorithm());
          checkBits(scorer);
        } else if (algorithm != Algorithm.OBJECT) {
          UnsupportedEnsembleException e =
              assertThrows(
                  UnsupportedEnsembleException.class,
                  () -> ScorerCompiler.compile(ensemble, algorithm));
          assertTrue(e.getMessage().endsWith("; use auto, vpred or object"), e.getMessage());
        }
      }
      assertEquals(Algorithm.OBJECT, lastEngine(ensemble, Set.of(VPredScorer.ALGORITHM)));
    }
  }

  /** The parts of these ensembles are too small for a pass of their own. */
  @Test
  void checkpointsBetweenParts() {
    for (TreeEnsemble ensemble : List.of(bagged(), linearLeaves())) {
      EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
      int documents = (int) (2 * Checkpoint.WORK / ensemble.trees().size());
      FeatureMatrix matrix = Values.documents(random, ensemble, documents);
      AtomicInteger passes = new AtomicInteger();
      scorer.score(matrix, scorer.newScratch(), new double[documents], passes::incrementAndGet);
      assertTrue(passes.get() >= 1, scorer.engine());
    }
  }

  private void checkBits(EnsembleScorer scorer) {
    Scratch scratch = scorer.newScratch();
    ReferenceScorer reference = ReferenceScorer.compile(scorer.ensemble());
    for (int documents : new int[] {1, 17, 0, 130}) {
      FeatureMatrix matrix = Values.documents(random, scorer.ensemble(), documents);
      double[] expected = new double[documents];
      double[] scores = new double[documents];
      reference.score(matrix, reference.newScratch(), expected);
      scorer.score(matrix, scratch, scores);
      assertArrayEquals(expected, scores);
    }
    assertTrue(scorer.scratchBytes(130) > 0);
    assertTrue(scorer.bytes() > 0);
  }

  @Test
  void anIndependentEngineSharesNoCode() {
    TreeEnsemble trees = RandomEnsembles.of(random).build();
    assertEquals(
        FlatTreeScorer.STRUCT_PLUS, ScorerCompiler.independent(trees, Algorithm.BIT_SLICED));
    assertEquals(
        PredScorer.ALGORITHM, ScorerCompiler.independent(trees, FlatTreeScorer.STRUCT_PLUS));
    assertEquals(PredScorer.ALGORITHM, ScorerCompiler.independent(trees, FlatTreeScorer.STRUCT));
    assertNotNull(ScorerCompiler.independent(bagged(), Algorithm.OBJECT));
    assertNull(ScorerCompiler.independent(bagged(), VPredScorer.ALGORITHM));
  }

  /** Counts, as a time may be over before the first batch on a busy machine. */
  @Test
  void generatedCodeIsEachModelsOwn() {
    WarmUp warmUp = new WarmUp();
    for (int model = 0; model < 2; model++) {
      AtomicInteger asked = new AtomicInteger();
      EnsembleScorer own =
          ScorerCompiler.compile(
              RandomEnsembles.of(random).trees(20).leaves(2, 30).build(), CodegenScorer.ALGORITHM);
      assertTrue(
          warmUp.run(own, Budget.of(300_000_000_000L, () -> asked.incrementAndGet() > 3)) > 0);
      assertFalse(asked.get() == 0);
    }
  }
}
