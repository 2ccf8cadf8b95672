// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.testing.RandomEnsembles;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random ensembles of all kinds, small enough that a young JVM compiles them in no time. */
final class Ensembles {
  /** What the splits of an ensemble do with missing values and zeros. */
  enum Rules {
    /** Missing values go as NaN &lt;= threshold would. */
    NONE,
    /** NaN goes left or right, as each split says. */
    NAN,
    /** So do, at some splits, values at zero. */
    ZERO,
    /** The same, and some splits test categories. */
    CATEGORIES,
    /** The same, and few of very many categories are used. */
    LARGE_CATEGORIES
  }

  /** On, below and above what engines take at once: words, lanes, units, groups. */
  private static final int[] LEAVES = {
    1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1024
  };

  private static final int[] TREES = {
    1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257
  };

  /** So many that one value decided wrongly nearly always shows in the score. */
  private static final int MIN_LEAVES_OF_ALL = 300;

  private static final int MAX_LEAVES_OF_ALL = 3000;

  private static final int MAX_FEATURES = 20;

  private Ensembles() {}

  /** One ensemble in 16 is linear, one has no rules. */
  static TreeEnsemble any(SplittableRandom random) {
    return switch (random.nextInt(16)) {
      case 0 -> linear(random);
      case 1 -> trees(random, Rules.NONE);
      case 2, 3, 4, 5 -> trees(random, Rules.NAN);
      case 6, 7, 8, 9, 10 -> trees(random, Rules.ZERO);
      case 11 -> trees(random, Rules.LARGE_CATEGORIES);
      default -> trees(random, Rules.CATEGORIES);
    };
  }

  /** One of few small trees and features, that tells missing values and zeros apart. */
  static TreeEnsemble small(SplittableRandom random) {
    RandomEnsembles recipe =
        RandomEnsembles.of(random)
            .leaves(2, 2 + random.nextInt(7))
            .trees(8 + random.nextInt(57))
            .features(1 + random.nextInt(4))
            .thresholds(logarithmic(random, 2, 200))
            .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE);
    return (random.nextBoolean() ? recipe.zeroAsMissing() : recipe.categorical()).build();
  }

  static TreeEnsemble trees(SplittableRandom random, Rules rules) {
    int all = logarithmic(random, MIN_LEAVES_OF_ALL, MAX_LEAVES_OF_ALL);
    // Few large trees in one ensemble of four, else many of a size that they leave room for.
    int trees = TREES[random.nextInt(random.nextInt(4) == 0 ? 0 : TREES.length / 3, TREES.length)];
    int leaves = LEAVES[random.nextInt(LEAVES.length)];
    if (random.nextInt(8) > 0) {
      leaves = Math.clamp(leaves, 2, Math.max(2, 2 * all / trees));
    }
    RandomEnsembles recipe =
        RandomEnsembles.of(random)
            .leaves(random.nextInt(3) == 0 ? leaves : 1, leaves)
            .trees(Math.clamp(2 * all / leaves, 1, trees))
            .features(logarithmic(random, 1, MAX_FEATURES))
            .thresholds(logarithmic(random, 2, 200))
            .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE);
    switch (rules) {
      case NONE -> recipe.noMissing();
      case NAN -> {}
      case ZERO -> recipe.zeroAsMissing();
      case CATEGORIES -> recipe.categorical();
      case LARGE_CATEGORIES -> recipe.largeCategories();
    }
    if (random.nextInt(8) == 0 && leaves <= 256) {
      recipe.chains();
    }
    TreeEnsemble made = recipe.build();
    if (random.nextInt(4) > 0) {
      return made;
    }
    return TreeEnsemble.builder(made.featureNames(), made.source())
        .trees(made.trees())
        .accumulator(made.accumulator())
        .initialScore(made.initialScore())
        .scaleAndBias(random.nextDouble(0.1, 3), random.nextDouble(-3, 3))
        .build();
  }

  private static TreeEnsemble linear(SplittableRandom random) {
    int features = 1 + random.nextInt(20);
    List<String> names = new ArrayList<>();
    float[] offsets = new float[features];
    float[] divisors = new float[features];
    for (int f = 0; f < features; f++) {
      names.add("f" + f);
      offsets[f] = random.nextInt(3) == 0 ? (float) random.nextDouble(-5, 5) : 0;
      divisors[f] = random.nextInt(3) == 0 ? (float) random.nextDouble(0.001, 5) : 1;
    }
    int[] indices = random.ints(features, 0, features).toArray();
    double[] weights = random.doubles(indices.length, -2, 2).toArray();
    return TreeEnsemble.builder(names, new ModelSource(new ModelFormat("random"), "", ""))
        .linear(LinearTerms.normalised(indices, weights, offsets, divisors))
        .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE)
        .initialScore(random.nextBoolean() ? 0 : (float) random.nextDouble())
        .build();
  }

  /** Small numbers as often as large ones. */
  static int logarithmic(SplittableRandom random, int min, int max) {
    return (int) Math.round(Math.exp(random.nextDouble(Math.log(min), Math.log(max))));
  }
}
