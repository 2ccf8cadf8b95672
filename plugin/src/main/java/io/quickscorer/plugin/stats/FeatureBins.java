// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Bins for the values of a model's features. Their edges are thresholds with which the model
 * compares a feature: values that move within a bin hardly move its scores.
 */
final class FeatureBins {
  /**
   * Maximum number of edges. There is one more bin than edges, and another one for missing values.
   */
  static final int MAX_EDGES = 9;

  /** Thresholds of a feature that are looked at: bounds what a large model costs. */
  private static final int MAX_THRESHOLDS = 1_000;

  private FeatureBins() {}

  /** Returns the ascending edges for each feature; none if no split has a threshold for it. */
  static float[][] edges(TreeEnsemble ensemble, int features) {
    List<TreeSet<Float>> thresholds = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      thresholds.add(new TreeSet<>());
    }
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        // Columns that the model derives stand behind the features; nothing of them is observed.
        if (feature < features
            && tree.categories(split) == null
            && thresholds.get(feature).size() < MAX_THRESHOLDS) {
          thresholds.get(feature).add(tree.threshold(split));
        }
      }
    }
    return thresholds.stream().map(FeatureBins::spread).toArray(float[][]::new);
  }

  /** Returns some of the thresholds, at even distances in their order. */
  private static float[] spread(TreeSet<Float> thresholds) {
    List<Float> sorted = List.copyOf(thresholds);
    float[] edges = new float[Math.min(MAX_EDGES, sorted.size())];
    for (int e = 0; e < edges.length; e++) {
      edges[e] = sorted.get((int) ((2L * e + 1) * sorted.size() / (2 * edges.length)));
    }
    return edges;
  }

  /** Returns how many bins this number of edges has, including the bin for missing values. */
  static int count(float[] edges) {
    return edges.length + 2;
  }

  /** Returns the bin of a value. */
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
