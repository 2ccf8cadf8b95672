// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Divides the values of a model's features into bins (ranges). The bins' edges are thresholds in
 * the model's trees, so that values in one bin have similar effects on scores.
 */
final class FeatureBins {
  /**
   * Maximum number of edges of a feature. Edges separate bins: with n edges, there are n + 1 bins,
   * and one more for missing values.
   */
  static final int MAX_EDGES = 9;

  /** Maximum number of thresholds to collect for each feature, to limit time and memory. */
  private static final int MAX_THRESHOLDS = 1_000;

  private FeatureBins() {}

  /**
   * Returns the edges between the bins (ranges of values) of each feature, in ascending order;
   * empty for a feature without thresholds.
   */
  static float[][] edges(TreeEnsemble ensemble, int features) {
    List<TreeSet<Float>> thresholds = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      thresholds.add(new TreeSet<>());
    }
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        // Columns after the features are derived from features by the model; they are not counted.
        if (feature < features
            && tree.categories(split) == null
            && thresholds.get(feature).size() < MAX_THRESHOLDS) {
          thresholds.get(feature).add(tree.threshold(split));
        }
      }
    }
    return thresholds.stream().map(FeatureBins::spread).toArray(float[][]::new);
  }

  /** Selects up to {@link #MAX_EDGES} thresholds, spread evenly over the sorted thresholds. */
  private static float[] spread(TreeSet<Float> thresholds) {
    List<Float> sorted = List.copyOf(thresholds);
    float[] edges = new float[Math.min(MAX_EDGES, sorted.size())];
    for (int e = 0; e < edges.length; e++) {
      edges[e] = sorted.get((int) ((2L * e + 1) * sorted.size() / (2 * edges.length)));
    }
    return edges;
  }

  /** Returns the number of bins that {@code edges} separate, with the bin for missing values. */
  static int count(float[] edges) {
    return edges.length + 2;
  }

  /** Returns the index of the bin that contains a value; the last bin contains NaN (missing). */
  static int of(float[] edges, float value) {
    if (Float.isNaN(value)) {
      return edges.length + 1;
    }
    int bin = 0;
    while (bin < edges.length && value > edges[bin]) {
      bin++;
    }
    return bin;
  }
}
