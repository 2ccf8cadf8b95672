// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Ensembles and documents of a given size, in the likeness of trained ones: trees grown leaf by
 * leaf, about as deep as LightGBM's (64 leaves: mean depth near 9), or oblivious as CatBoost's; 255
 * distinct thresholds per feature, leaf values that are not floats.
 */
final class SyntheticModels {
  static final int FEATURES = 136;

  private static final int THRESHOLDS = 255;

  /** Growths that split the deeper one of two leaves, of so many; the others split any leaf. */
  private static final double DEEPER = 0.5;

  private SyntheticModels() {}

  static TreeEnsemble ensemble(int trees, int leaves, long seed) {
    return ensemble(trees, leaves, seed, SyntheticModels::leafWise);
  }

  /** Trees whose splits are the same ones wherever they have the same depth. */
  static TreeEnsemble oblivious(int trees, int leaves, long seed) {
    return ensemble(trees, leaves, seed, SyntheticModels::oblivious);
  }

  private interface Shape {
    Tree tree(TreeBuilder builder, int number, int leaves, SplittableRandom random);
  }

  private static TreeEnsemble ensemble(int trees, int leaves, long seed, Shape shape) {
    SplittableRandom random = new SplittableRandom(seed);
    EnsembleLimits limits =
        new EnsembleLimits(trees, leaves, leaves, FEATURES, Integer.MAX_VALUE, 1);
    TreeBuilder builder = new TreeBuilder(limits, FEATURES, false);
    List<Tree> built = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      built.add(shape.tree(builder, t, leaves, random));
    }
    List<String> names = new ArrayList<>();
    for (int f = 0; f < FEATURES; f++) {
      names.add("f" + f);
    }
    return TreeEnsemble.builder(names, new ModelSource(new ModelFormat("synthetic"), "", ""))
        .trees(built)
        .build();
  }

  /** The mean depth of a tree's leaves, over all trees. */
  static double meanLeafDepth(TreeEnsemble ensemble) {
    long depths = 0;
    long leaves = 0;
    for (Tree tree : ensemble.trees()) {
      int[] depth = new int[tree.splits()];
      for (int split = 0; split < depth.length; split++) {
        for (int child : new int[] {tree.left(split), tree.right(split)}) {
          if (child >= 0) {
            depth[child] = depth[split] + 1;
          } else {
            depths += depth[split] + 1;
          }
        }
      }
      leaves += tree.leaves();
    }
    return (double) depths / leaves;
  }

  private static float threshold(SplittableRandom random) {
    return (1 + random.nextInt(THRESHOLDS)) / (THRESHOLDS + 1f);
  }

  /**
   * @param leaves a power of two
   */
  private static Tree oblivious(
      TreeBuilder builder, int number, int leaves, SplittableRandom random) {
    builder.start(number, 2 * leaves - 1);
    int feature = 0;
    float threshold = 0;
    for (int node = 0; node < leaves - 1; node++) {
      // Nodes in breadth-first order: a level begins at each power of two, less one.
      if ((node & (node + 1)) == 0) {
        feature = random.nextInt(FEATURES);
        threshold = threshold(random);
      }
      builder.split(node, feature, threshold, MissingValue.NAN_LEFT, 2 * node + 1, 2 * node + 2);
    }
    for (int node = leaves - 1; node < 2 * leaves - 1; node++) {
      builder.leaf(node, random.nextDouble(-1, 1));
    }
    return builder.build(0);
  }

  private static Tree leafWise(
      TreeBuilder builder, int number, int leaves, SplittableRandom random) {
    int nodes = 2 * leaves - 1;
    int[] open = new int[leaves];
    int[] depth = new int[nodes];
    builder.start(number, nodes);
    int next = 1;
    for (int count = 1; count < leaves; count++) {
      int drawn = random.nextInt(count);
      if (random.nextDouble() < DEEPER) {
        int other = random.nextInt(count);
        drawn = depth[open[other]] > depth[open[drawn]] ? other : drawn;
      }
      int node = open[drawn];
      builder.split(
          node, random.nextInt(FEATURES), threshold(random), MissingValue.NAN_LEFT, next, next + 1);
      depth[next] = depth[node] + 1;
      depth[next + 1] = depth[node] + 1;
      open[drawn] = next;
      open[count] = next + 1;
      next += 2;
    }
    for (int node : open) {
      builder.leaf(node, random.nextDouble(-1, 1));
    }
    return builder.build(0);
  }

  static FeatureMatrix documents(int documents, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FeatureMatrix matrix = new FeatureMatrix(FEATURES, documents);
    float[] values = matrix.values();
    for (int i = 0; i < values.length; i++) {
      values[i] = (random.nextInt() >>> 8) * 0x1p-24f;
    }
    return matrix;
  }
}
