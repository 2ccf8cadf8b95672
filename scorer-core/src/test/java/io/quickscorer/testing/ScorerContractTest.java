// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * What every scorer promises: the reference's bits, for every ensemble it supports, every batch
 * size and every value. A new algorithm adds a subclass and nothing else.
 */
public abstract class ScorerContractTest {
  private static final int[] DOCUMENTS = {
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 511, 512, 513, 700
  };

  protected abstract EnsembleScorer compile(TreeEnsemble ensemble);

  /** Leaves of the largest tree the scorer takes. */
  protected int maxLeaves() {
    return 1024;
  }

  @Test
  void everyBatchSize() {
    SplittableRandom random = Seeds.random("everyBatchSize");
    TreeEnsemble ensemble =
        RandomEnsembles.of(random).trees(20).leaves(1, Math.min(64, maxLeaves())).build();
    EnsembleScorer scorer = compile(ensemble);
    Scratch scratch = scorer.newScratch();
    for (int documents : DOCUMENTS) {
      check(scorer, scratch, Values.documents(random, ensemble, documents));
    }
  }

  @Test
  void everyTreeSize() {
    SplittableRandom random = Seeds.random("everyTreeSize");
    for (int leaves : new int[] {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 1024}) {
      if (leaves <= maxLeaves()) {
        for (int trees : new int[] {1, 2, 15, 16, 17}) {
          checkAll(random, RandomEnsembles.of(random).trees(trees).leaves(leaves, leaves));
        }
      }
    }
  }

  @Test
  void mixedTreeSizes() {
    SplittableRandom random = Seeds.random("mixedTreeSizes");
    for (int i = 0; i < 5 * Seeds.iterations(); i++) {
      checkAll(random, RandomEnsembles.of(random).trees(60).leaves(1, maxLeaves()).features(20));
    }
  }

  @Test
  void chains() {
    SplittableRandom random = Seeds.random("chains");
    checkAll(random, RandomEnsembles.of(random).chains().trees(9).leaves(1, maxLeaves()));
  }

  @Test
  void obliviousTrees() {
    SplittableRandom random = Seeds.random("oblivious");
    for (int leaves = 1; leaves <= Math.min(1024, maxLeaves()); leaves *= 2) {
      for (int trees : new int[] {1, 17, 90}) {
        RandomEnsembles recipe = RandomEnsembles.of(random).oblivious().trees(trees);
        checkAll(random, recipe.leaves(leaves, leaves));
        checkAll(random, recipe.leaves(1, leaves).categorical());
      }
    }
    checkAll(
        random,
        RandomEnsembles.of(random)
            .oblivious()
            .accumulator(Accumulator.FLOAT)
            .features(300)
            .trees(700)
            .leaves(1, Math.min(128, maxLeaves())));
  }

  /** Trees of both kinds side by side, and leaves that a level asked twice leaves unreachable. */
  @Test
  void obliviousTreesAmongOthers() {
    SplittableRandom random = Seeds.random("obliviousAmongOthers");
    for (int i = 0; i < 5 * Seeds.iterations(); i++) {
      RandomEnsembles recipe =
          RandomEnsembles.of(random).features(1).thresholds(2).leaves(1, Math.min(64, maxLeaves()));
      List<Tree> trees = new ArrayList<>(recipe.oblivious().trees(40).build().trees());
      trees.set(random.nextInt(40), RandomEnsembles.of(random).features(1).build().trees().get(3));
      checkAll(
          random,
          TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
              .trees(trees)
              .build());
    }
  }

  @Test
  void floatSums() {
    SplittableRandom random = Seeds.random("floatSums");
    for (int i = 0; i < 5 * Seeds.iterations(); i++) {
      checkAll(
          random,
          RandomEnsembles.of(random)
              .accumulator(Accumulator.FLOAT)
              .trees(100)
              .leaves(1, Math.min(64, maxLeaves())));
    }
  }

  @Test
  void categoriesAndZeroAsMissing() {
    SplittableRandom random = Seeds.random("categories");
    for (int i = 0; i < 10 * Seeds.iterations(); i++) {
      checkAll(random, RandomEnsembles.of(random).categorical().trees(30).leaves(1, maxLeaves()));
      checkAll(
          random,
          RandomEnsembles.of(random)
              .categorical()
              .accumulator(Accumulator.FLOAT)
              .trees(30)
              .leaves(1, Math.min(64, maxLeaves())));
    }
  }

  @Test
  void fewLargeCategories() {
    SplittableRandom random = Seeds.random("largeCategories");
    for (int i = 0; i < 5 * Seeds.iterations(); i++) {
      RandomEnsembles recipe = RandomEnsembles.of(random).largeCategories().trees(30);
      checkAll(random, recipe.features(1 + random.nextInt(6)).leaves(1, maxLeaves()));
    }
  }

  @Test
  void withoutMissingRules() {
    SplittableRandom random = Seeds.random("noMissing");
    checkAll(
        random,
        RandomEnsembles.of(random).noMissing().trees(50).leaves(2, Math.min(64, maxLeaves())));
  }

  @Test
  void oneFeature() {
    SplittableRandom random = Seeds.random("oneFeature");
    checkAll(
        random,
        RandomEnsembles.of(random).features(1).trees(40).leaves(1, Math.min(64, maxLeaves())));
  }

  @Test
  void manyFeaturesManyTrees() {
    SplittableRandom random = Seeds.random("many");
    checkAll(
        random,
        RandomEnsembles.of(random).features(300).trees(700).leaves(1, Math.min(64, maxLeaves())));
  }

  /** Leaf values of tree t are digits times 10^t, so one score names every exit leaf. */
  @Test
  void scoreNamesEveryExitLeaf() {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 3, false);
    List<Tree> trees = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      double unit = Math.pow(10, t);
      builder.start(t, 7);
      builder.split(0, t, 0.5f, MissingValue.NAN_LEFT, 1, 2);
      builder.split(1, (t + 1) % 3, 0.25f, MissingValue.NAN_RIGHT, 3, 4);
      builder.split(2, (t + 2) % 3, 0.75f, MissingValue.NAN_RIGHT, 5, 6);
      builder.leaf(3, unit);
      builder.leaf(4, 2 * unit);
      builder.leaf(5, 3 * unit);
      builder.leaf(6, 4 * unit);
      trees.add(builder.build(0));
    }
    TreeEnsemble ensemble =
        TreeEnsemble.builder(
                List.of("a", "b", "c"), new ModelSource(new ModelFormat("test"), "", ""))
            .trees(trees)
            .build();
    float nan = Float.NaN;
    FeatureMatrix matrix =
        FeatureMatrix.ofRows(
            new float[] {0, 0, 0, 1, 1, 1, 0.5f, 0.25f, 0.75f, nan, nan, nan, 0.6f, 0.3f, 0.2f}, 3);
    double[] scores = new double[5];
    EnsembleScorer scorer = compile(ensemble);
    scorer.score(matrix, scorer.newScratch(), scores);
    assertEquals(111, scores[0]);
    assertEquals(444, scores[1]);
    assertEquals(321, scores[2]);
    assertEquals(222, scores[3]);
    assertEquals(213, scores[4]);
  }

  @Test
  void scaleBiasAndInitialScore() {
    SplittableRandom random = Seeds.random("scale");
    TreeEnsemble plain =
        RandomEnsembles.of(random).trees(7).leaves(1, Math.min(32, maxLeaves())).build();
    TreeEnsemble ensemble =
        TreeEnsemble.builder(plain.featureNames(), plain.source())
            .trees(plain.trees())
            .initialScore(0.125)
            .scaleAndBias(0.3, -1.7)
            .build();
    EnsembleScorer scorer = compile(ensemble);
    check(scorer, scorer.newScratch(), Values.documents(random, ensemble, 37));
  }

  /** A sum that never leaves -0.0 stays there: adding anything else than leaves would show. */
  @Test
  void negativeZero() {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 1, false);
    List<Tree> trees = new ArrayList<>();
    for (int t = 0; t < 5; t++) {
      builder.start(t, 3);
      builder.split(0, 0, 0.5f, MissingValue.NAN_LEFT, 1, 2);
      builder.leaf(1, -0.0);
      builder.leaf(2, t == 3 ? 0.0 : -0.0);
      trees.add(builder.build(0));
    }
    TreeEnsemble ensemble =
        TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
            .trees(trees)
            .initialScore(-0.0)
            .build();
    EnsembleScorer scorer = compile(ensemble);
    FeatureMatrix matrix = Values.documents(Seeds.random("zero"), ensemble, 130);
    for (int document = 0; document < 130; document += 2) {
      matrix.set(document, 0, 0);
    }
    double[] scores = new double[130];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(matrix, reference.newScratch(), scores);
    assertEquals(-0.0, scores[0]);
    check(scorer, scorer.newScratch(), matrix);
  }

  @Test
  void wrongArguments() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("arguments"))
            .features(3)
            .leaves(2, Math.min(8, maxLeaves()))
            .build();
    EnsembleScorer scorer = compile(ensemble);
    Scratch scratch = scorer.newScratch();
    assertThrows(
        IllegalArgumentException.class,
        () -> scorer.score(new FeatureMatrix(2, 4), scratch, new double[4]));
    assertThrows(
        IllegalArgumentException.class,
        () -> scorer.score(new FeatureMatrix(3, 4), scratch, new double[3]));
  }

  /** Whether a checkpoint is passed again and again within a batch, not only before it. */
  protected boolean stopsWithinBatches() {
    return true;
  }

  @Test
  void stopsWithinABatch() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("stops"))
            .trees(500)
            .leaves(2, Math.min(8, maxLeaves()))
            .build();
    EnsembleScorer scorer = compile(ensemble);
    int documents = stopsWithinBatches() ? (int) (3 * Checkpoint.WORK / 500) : 64;
    FeatureMatrix matrix = SampleDocuments.of(ensemble, documents);
    double[] scores = new double[documents];
    AtomicLong passes = new AtomicLong();
    scorer.score(matrix, scorer.newScratch(), scores, passes::incrementAndGet);
    assertTrue(passes.get() >= (stopsWithinBatches() ? 2 : 1), scorer.algorithm() + ": " + passes);
    IllegalStateException stop = new IllegalStateException("stopped");
    Checkpoint stopping =
        () -> {
          throw stop;
        };
    assertSame(
        stop,
        assertThrows(
            IllegalStateException.class,
            () -> scorer.score(matrix, scorer.newScratch(), scores, stopping)));
  }

  protected static void assertSameBits(EnsembleScorer a, EnsembleScorer b, int documents) {
    FeatureMatrix matrix = SampleDocuments.of(a.ensemble(), documents);
    double[] expected = new double[documents];
    double[] scores = new double[documents];
    a.score(matrix, a.newScratch(), expected);
    b.score(matrix, b.newScratch(), scores);
    for (int d = 0; d < documents; d++) {
      assertEquals(Double.doubleToRawLongBits(expected[d]), Double.doubleToRawLongBits(scores[d]));
    }
  }

  /** Checks an ensemble of the recipe with batches of several sizes. */
  protected void checkAll(SplittableRandom random, RandomEnsembles recipe) {
    checkAll(random, recipe.build());
  }

  /** Checks an ensemble with batches of several sizes. */
  protected void checkAll(SplittableRandom random, TreeEnsemble ensemble) {
    EnsembleScorer scorer = compile(ensemble);
    Scratch scratch = scorer.newScratch();
    for (int documents : new int[] {1, 33, 130}) {
      check(scorer, scratch, Values.documents(random, ensemble, documents));
    }
  }

  private static void check(EnsembleScorer scorer, Scratch scratch, FeatureMatrix matrix) {
    int documents = matrix.documents();
    double[] expected = new double[documents];
    ReferenceScorer reference = ReferenceScorer.compile(scorer.ensemble());
    reference.score(matrix, reference.newScratch(), expected);
    double[] scores = new double[documents + 1];
    scores[documents] = 42;
    scorer.score(matrix, scratch, scores);
    for (int d = 0; d < documents; d++) {
      int document = d;
      assertEquals(
          Double.doubleToRawLongBits(expected[d]),
          Double.doubleToRawLongBits(scores[d]),
          () ->
              scorer.algorithm()
                  + ": document "
                  + document
                  + " of "
                  + documents
                  + ", expected "
                  + expected[document]
                  + ", got "
                  + scores[document]);
    }
    assertEquals(42, scores[documents], "wrote past the last document");
  }
}
