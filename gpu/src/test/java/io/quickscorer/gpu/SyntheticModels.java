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
 * leaf, about as deep as LightGBM's (64 leaves: mean depth near 7, at most 11 or so), 255 distinct
 * thresholds per feature, leaf values that are not floats.
 */
final class SyntheticModels {
  static final int FEATURES = 136;

  private static final int THRESHOLDS = 255;

  /** Leaves drawn at each growth, of which the shallowest is split. */
  private static final int DRAWS = 3;

  private SyntheticModels() {}

  static TreeEnsemble ensemble(int trees, int leaves, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    EnsembleLimits limits =
        new EnsembleLimits(trees, leaves, leaves, FEATURES, Integer.MAX_VALUE, 1);
    TreeBuilder builder = new TreeBuilder(limits, FEATURES, false);
    List<Tree> built = new ArrayList<>();
    for (int t = 0; t < trees; t++) {
      built.add(tree(builder, t, leaves, random));
    }
    List<String> names = new ArrayList<>();
    for (int f = 0; f < FEATURES; f++) {
      names.add("f" + f);
    }
    return TreeEnsemble.builder(names, new ModelSource(new ModelFormat("synthetic"), "", ""))
        .trees(built)
        .build();
  }

  private static Tree tree(TreeBuilder builder, int number, int leaves, SplittableRandom random) {
    int nodes = 2 * leaves - 1;
    int[] open = new int[leaves];
    int[] depth = new int[nodes];
    builder.start(number, nodes);
    int next = 1;
    for (int count = 1; count < leaves; count++) {
      int drawn = random.nextInt(count);
      for (int draw = 1; draw < DRAWS; draw++) {
        int other = random.nextInt(count);
        drawn = depth[open[other]] < depth[open[drawn]] ? other : drawn;
      }
      int node = open[drawn];
      float threshold = (1 + random.nextInt(THRESHOLDS)) / (THRESHOLDS + 1f);
      MissingValue rule = MissingValue.NAN_LEFT;
      builder.split(node, random.nextInt(FEATURES), threshold, rule, next, next + 1);
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
