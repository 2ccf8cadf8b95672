// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** What every form of the bit-sliced scorer promises besides the contract of all scorers. */
public abstract class BitSlicedContract extends ScorerContractTest {
  /** A leaf's value is its number, so that the score of one tree names the exit leaf. */
  @Test
  void everyDocumentTakesTheReferencesLeaf() {
    SplittableRandom random = Seeds.random("exitLeaves");
    for (int leaves : new int[] {1, 2, 3, 4, 5, 8, 15, 16, 17, 32, 33, 64, 65, 130, 300, 1024}) {
      for (boolean chain : new boolean[] {false, true}) {
        RandomEnsembles recipe =
            RandomEnsembles.of(random).trees(1).leaves(leaves, leaves).categorical();
        TreeEnsemble ensemble = numbered((chain ? recipe.chains() : recipe).build());
        FeatureMatrix matrix = Values.documents(random, ensemble, 600);
        EnsembleScorer scorer = compile(ensemble);
        double[] scores = new double[600];
        scorer.score(matrix, scorer.newScratch(), scores);
        ReferenceScorer reference = ReferenceScorer.compile(ensemble);
        for (int d = 0; d < scores.length; d++) {
          int document = d;
          assertEquals(
              reference.exitLeaf(0, matrix, d),
              scores[d],
              () -> leaves + " leaves, chain " + chain + ", document " + document);
        }
      }
    }
  }

  private static TreeEnsemble numbered(TreeEnsemble ensemble) {
    Tree tree = ensemble.trees().getFirst();
    TreeBuilder builder =
        new TreeBuilder(EnsembleLimits.DEFAULT, ensemble.featureNames().size(), false);
    int splits = tree.splits();
    builder.start(0, splits + tree.leaves());
    for (int s = 0; s < splits; s++) {
      int left = tree.left(s) < 0 ? splits + ~tree.left(s) : tree.left(s);
      int right = tree.right(s) < 0 ? splits + ~tree.right(s) : tree.right(s);
      if (tree.categories(s) == null) {
        builder.split(s, tree.feature(s), tree.threshold(s), tree.missing(s), left, right);
      } else {
        builder.split(s, tree.feature(s), tree.categories(s), tree.missing(s), left, right);
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      builder.leaf(splits + leaf, leaf);
    }
    return TreeEnsemble.builder(ensemble.featureNames(), ensemble.source())
        .trees(List.of(builder.build(0)))
        .build();
  }

  @Test
  void floatLeavesInFloat() {
    SplittableRandom random = Seeds.random("floatLeaves");
    for (int leaves : new int[] {2, 32, 64, 100, 300}) {
      checkAll(
          random,
          RandomEnsembles.of(random)
              .accumulator(Accumulator.FLOAT)
              .floatLeaves()
              .trees(40)
              .leaves(1, leaves));
    }
  }

  /** From searches in one register to those in eight, and beyond. */
  @Test
  void fewAndManyThresholdsPerFeature() {
    SplittableRandom random = Seeds.random("thresholds");
    for (int thresholds : new int[] {1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256}) {
      checkAll(random, RandomEnsembles.of(random).features(3).thresholds(thresholds).trees(60));
    }
    checkAll(random, RandomEnsembles.of(random).features(1).thresholds(3000).trees(300));
  }

  @Test
  void manyCategorySets() {
    SplittableRandom random = Seeds.random("categorySets");
    checkAll(random, RandomEnsembles.of(random).features(2).categorical().trees(50));
  }

  @Test
  void compilationStopsWhenInterrupted() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("interrupt")).build();
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> compile(ensemble));
  }
}
