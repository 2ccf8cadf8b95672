// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Makes random ensembles: {@code RandomEnsembles.of(random).trees(10).leaves(1, 64).build()}.
 *
 * <p>Trees take any shape (a random leaf is split until there are enough), thresholds come from a
 * small pool per feature so that they are shared and tied between trees, and leaf values span many
 * magnitudes so that a sum in another order shows.
 */
public final class RandomEnsembles {
  private final SplittableRandom random;
  private int trees = 10;
  private int minLeaves = 1;
  private int maxLeaves = 64;
  private int features = 8;
  private int maxThresholds = 20;
  private boolean floatLeaves;
  private boolean chains;
  private boolean oblivious;
  private boolean categorical;
  private boolean largeCategories;
  private boolean zeroAsMissing;
  private boolean missing = true;
  private boolean covers;
  private Accumulator accumulator = Accumulator.DOUBLE;

  private RandomEnsembles(SplittableRandom random) {
    this.random = random;
  }

  public static RandomEnsembles of(SplittableRandom random) {
    return new RandomEnsembles(random);
  }

  public RandomEnsembles trees(int trees) {
    this.trees = trees;
    return this;
  }

  public RandomEnsembles leaves(int min, int max) {
    this.minLeaves = min;
    this.maxLeaves = max;
    return this;
  }

  public RandomEnsembles features(int features) {
    this.features = features;
    return this;
  }

  /** Draws each feature's thresholds from up to so many, not 20. */
  public RandomEnsembles thresholds(int max) {
    this.maxThresholds = max;
    return this;
  }

  /** All leaf values and the initial score are floats, as XGBoost's are. */
  public RandomEnsembles floatLeaves() {
    this.floatLeaves = true;
    return this;
  }

  /** Always splits the last leaf: the deepest trees possible. */
  public RandomEnsembles chains() {
    this.chains = true;
    return this;
  }

  /** All splits of a level ask the same, and a tree has as many leaves as are a power of two. */
  public RandomEnsembles oblivious() {
    this.oblivious = true;
    return this;
  }

  /** Adds categorical splits and splits for which zero is missing. */
  public RandomEnsembles categorical() {
    this.categorical = true;
    return zeroAsMissing();
  }

  /** Of the categories few are used, and these are large. */
  public RandomEnsembles largeCategories() {
    this.largeCategories = true;
    return categorical();
  }

  /** Adds splits for which zero is missing. */
  public RandomEnsembles zeroAsMissing() {
    this.zeroAsMissing = true;
    return this;
  }

  /** All missing values go as NaN &lt;= threshold would: right, and zero is a plain value. */
  public RandomEnsembles noMissing() {
    this.missing = false;
    return this;
  }

  /** Gives every node a cover; that of a leaf is now and then next to nothing. */
  public RandomEnsembles covers() {
    this.covers = true;
    return this;
  }

  public RandomEnsembles accumulator(Accumulator accumulator) {
    this.accumulator = accumulator;
    return this;
  }

  public TreeEnsemble build() {
    float[][] pools = new float[features][];
    for (int f = 0; f < features; f++) {
      pools[f] = Values.thresholds(random, 1 + random.nextInt(maxThresholds));
    }
    EnsembleLimits limits = EnsembleLimits.DEFAULT.with(Limit.CATEGORY, Integer.MAX_VALUE);
    TreeBuilder builder = new TreeBuilder(limits, features, false);
    List<Tree> built = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      int leaves = minLeaves + random.nextInt(maxLeaves - minLeaves + 1);
      built.add(oblivious ? oblivious(builder, t, leaves, pools) : tree(builder, t, leaves, pools));
    }
    List<String> names = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      names.add("f" + f);
    }
    double initial = random.nextBoolean() ? 0 : (float) random.nextDouble(-2, 2);
    return TreeEnsemble.builder(names, new ModelSource(new ModelFormat("random"), "", ""))
        .trees(built)
        .initialScore(initial)
        .accumulator(accumulator)
        .build();
  }

  private Tree tree(TreeBuilder builder, int number, int leaves, float[][] pools) {
    int nodes = 2 * leaves - 1;
    builder.start(number, nodes);
    List<Integer> open = new ArrayList<>(List.of(0));
    int[] above = new int[nodes];
    double[] cover = new double[nodes];
    int next = 1;
    while (open.size() < leaves) {
      int node = open.remove(chains ? open.size() - 1 : random.nextInt(open.size()));
      question(pools).ask(builder, node, next, next + 1);
      above[next] = node;
      open.add(next++);
      above[next] = node;
      open.add(next++);
    }
    for (int node : open) {
      builder.leaf(node, leafValue());
      cover[node] = covers ? leafCover() : 0;
    }
    for (int node = nodes - 1; covers && node >= 0; node--) {
      // Children come after their parents.
      cover[above[node]] += node == 0 ? 0 : cover[node];
      builder.cover(node, cover[node]);
    }
    return builder.build(0);
  }

  private Tree oblivious(TreeBuilder builder, int number, int leaves, float[][] pools) {
    int splits = Integer.highestOneBit(leaves) - 1;
    builder.start(number, 2 * splits + 1);
    Question question = null;
    for (int node = 0; node < splits; node++) {
      // Node 2^l - 1 is the first of level l.
      question = question == null || Integer.bitCount(node + 1) == 1 ? question(pools) : question;
      question.ask(builder, node, 2 * node + 1, 2 * node + 2);
    }
    for (int node = splits; node <= 2 * splits; node++) {
      builder.leaf(node, leafValue());
    }
    return builder.build(0);
  }

  private record Question(
      int feature, float threshold, @Nullable CategorySet set, MissingValue rule) {
    void ask(TreeBuilder builder, int node, int left, int right) {
      if (set == null) {
        builder.split(node, feature, threshold, rule, left, right);
      } else {
        builder.split(node, feature, set, rule, left, right);
      }
    }
  }

  private Question question(float[][] pools) {
    int feature = random.nextInt(features);
    boolean zero = missing && zeroAsMissing && random.nextInt(4) == 0;
    MissingValue rule = MissingValue.of(missing && random.nextBoolean(), zero);
    if (categorical && random.nextInt(3) == 0) {
      CategorySet.Rounding rounding =
          random.nextBoolean()
              ? CategorySet.Rounding.TOWARD_ZERO
              : CategorySet.Rounding.NEGATIVE_IS_NONE;
      CategorySet set = largeCategories ? largeCategories(rounding) : categories(rounding);
      return new Question(feature, 0, set, rule);
    }
    float[] pool = pools[feature];
    return new Question(feature, pool[random.nextInt(pool.length)], null, rule);
  }

  private CategorySet categories(CategorySet.Rounding rounding) {
    long[] bitmap = new long[1 + random.nextInt(3)];
    for (int i = 0; i < bitmap.length; i++) {
      bitmap[i] = random.nextLong() & random.nextLong();
    }
    return CategorySet.ofBitmap(bitmap, rounding);
  }

  /** Some next to each other, some shared by sets, the last one that there can be among them. */
  private CategorySet largeCategories(CategorySet.Rounding rounding) {
    int[] members = new int[1 + random.nextInt(6)];
    for (int i = 0; i < members.length; i++) {
      int last = random.nextInt(4) == 0 ? Integer.MAX_VALUE - 1 : 1 << 24;
      members[i] = random.nextBoolean() ? random.nextInt(last + 1) : last - random.nextInt(80);
      members[i] = random.nextInt(8) == 0 ? random.nextInt(3) : members[i];
    }
    return CategorySet.of(members, rounding);
  }

  private double leafCover() {
    return random.nextInt(20) == 0 ? 1e-300 : 1 + random.nextInt(1000);
  }

  private double leafValue() {
    double value = random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-6, 7));
    return floatLeaves || (accumulator == Accumulator.FLOAT && random.nextBoolean())
        ? (float) value
        : value;
  }
}
