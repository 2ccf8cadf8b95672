// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.VectorContract;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the heavy-path scorer promises besides the contract of all scorers. */
abstract class HeavyPathContract extends VectorContract {
  HeavyPathContract(int bits) {
    super(bits);
  }

  @BeforeEach
  void permutesAreUsable() {
    String why = HeavyPathScorer.unavailable(bits);
    assumeTrue(why.isEmpty(), why);
  }

  /** From part of a block of thresholds to several columns for one feature. */
  @Test
  void fewAndManyThresholdsPerFeature() {
    SplittableRandom random = Seeds.random("thresholds");
    for (int thresholds : new int[] {1, 15, 16, 17, 32, 33, 254, 255, 256, 257, 600}) {
      checkAll(
          random,
          RandomEnsembles.of(random).features(1).thresholds(thresholds).noMissing().trees(60));
      checkAll(random, RandomEnsembles.of(random).features(2).thresholds(thresholds).trees(60));
    }
    checkAll(random, RandomEnsembles.of(random).features(1).thresholds(3000).trees(300));
  }

  /** Columns on both sides of the edges of tables of 32, 64 and 128 ranks. */
  @Test
  void everyNumberOfTables() {
    SplittableRandom random = Seeds.random("tables");
    for (int features : new int[] {31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 256, 257, 500}) {
      checkAll(random, RandomEnsembles.of(random).features(features).noMissing().trees(90));
      checkAll(random, RandomEnsembles.of(random).features(features).trees(90).leaves(1, 200));
    }
  }

  /** Full trees have the most light turns, and fill a piece to its last lane but one. */
  @Test
  void fullTrees() {
    SplittableRandom random = Seeds.random("full");
    for (int depth = 1; depth <= 8; depth++) {
      TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 5, false);
      List<Tree> trees = new ArrayList<>();
      for (int t = 0; t < 20; t++) {
        trees.add(fullTree(builder, t, depth, random));
      }
      checkAll(
          random,
          TreeEnsemble.builder(
                  List.of("a", "b", "c", "d", "e"),
                  new ModelSource(new ModelFormat("test"), "", ""))
              .trees(trees)
              .build());
    }
  }

  private static Tree fullTree(
      TreeBuilder builder, int number, int depth, SplittableRandom random) {
    int splits = (1 << depth) - 1;
    builder.start(number, 2 * splits + 1);
    for (int node = 0; node < splits; node++) {
      MissingValue rule = MissingValue.values()[random.nextInt(4)];
      float threshold = (float) random.nextGaussian();
      builder.split(node, random.nextInt(5), threshold, rule, 2 * node + 1, 2 * node + 2);
    }
    for (int node = splits; node <= 2 * splits; node++) {
      builder.leaf(node, random.nextDouble());
    }
    return builder.build(0);
  }

  /** Shallow trees do not all take the leaves of the deepest. */
  @Test
  void oneDeepObliviousTree() {
    SplittableRandom random = Seeds.random("oneDeep");
    RandomEnsembles recipe = RandomEnsembles.of(random).oblivious();
    List<Tree> trees = new ArrayList<>(recipe.trees(500).leaves(1, 2).build().trees());
    trees.set(250, recipe.trees(1).leaves(1024, 1024).build().trees().getFirst());
    TreeEnsemble plain = recipe.build();
    TreeEnsemble ensemble =
        TreeEnsemble.builder(plain.featureNames(), plain.source()).trees(trees).build();
    assertTrue(compile(ensemble).bytes() < 500_000, () -> compile(ensemble).bytes() + " bytes");
    checkAll(random, ensemble);
  }

  @Test
  void tooManyCategorySetsAreRefused() {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 1, false);
    List<Tree> trees = new ArrayList<>();
    for (int t = 0; t <= 1 << 16; t++) {
      builder.start(t, 3);
      CategorySet set = CategorySet.ofBitmap(new long[] {t + 1}, CategorySet.Rounding.TOWARD_ZERO);
      builder.split(0, 0, set, MissingValue.NAN_LEFT, 1, 2);
      builder.leaf(1, 1);
      builder.leaf(2, 2);
      trees.add(builder.build(0));
    }
    TreeEnsemble ensemble =
        TreeEnsemble.builder(List.of("a"), new ModelSource(new ModelFormat("test"), "", ""))
            .trees(trees)
            .build();
    assertThrows(UnsupportedEnsembleException.class, () -> compile(ensemble));
  }

  @Test
  void compilationStopsWhenInterrupted() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("interrupt")).build();
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> compile(ensemble));
  }
}
