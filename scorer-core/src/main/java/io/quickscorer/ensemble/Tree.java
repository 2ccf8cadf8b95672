// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One tree as flat arrays, created by {@link TreeBuilder}. Immutable.
 *
 * <p>Splits are numbered in preorder from 0, so that the root is split 0; leaves are numbered from
 * left to right from 0. A child is the number of a split, or {@code ~leaf} for a leaf. A tree of a
 * single leaf has no split. At a numeric split, a value x goes left if {@code x <= threshold}; at a
 * categorical split, it goes left if the {@link CategorySet} contains x. A missing value goes to
 * the child that the {@link MissingValue} rule determines.
 */
public final class Tree {
  private final int[] features;
  private final float[] thresholds;
  private final @Nullable CategorySet[] categories;
  private final MissingValue[] missing;
  private final int[] left;
  private final int[] right;
  private final double[] leaves;
  private final @Nullable LinearLeaves linearLeaves;
  private final int depth;
  private final NodeStatistics statistics;

  Tree(
      int[] features,
      float[] thresholds,
      @Nullable CategorySet[] categories,
      MissingValue[] missing,
      int[] left,
      int[] right,
      double[] leaves,
      @Nullable LinearLeaves linearLeaves,
      int depth,
      NodeStatistics statistics) {
    this.features = features;
    this.thresholds = thresholds;
    this.categories = categories;
    this.missing = missing;
    this.left = left;
    this.right = right;
    this.leaves = leaves;
    this.linearLeaves = linearLeaves;
    this.depth = depth;
    this.statistics = statistics;
  }

  public int splits() {
    return features.length;
  }

  public int leaves() {
    return leaves.length;
  }

  /** Returns the number of splits on the longest path from the root to a leaf. */
  public int depth() {
    return depth;
  }

  public int feature(int split) {
    return features[split];
  }

  /** Returns the threshold of a numeric split; NaN for a categorical split. */
  public float threshold(int split) {
    return thresholds[split];
  }

  /** Returns the categories that go left at a categorical split; null at a numeric split. */
  public @Nullable CategorySet categories(int split) {
    return categories[split];
  }

  public MissingValue missing(int split) {
    return missing[split];
  }

  /** Returns the left child: the number of a split, or {@code ~leaf}. */
  public int left(int split) {
    return left[split];
  }

  /** Returns the right child: the number of a split, or {@code ~leaf}. */
  public int right(int split) {
    return right[split];
  }

  /**
   * Returns the value of a leaf. A leaf with a linear function has this value if one of the
   * function's features is missing.
   */
  public double leafValue(int leaf) {
    return leaves[leaf];
  }

  /** Returns the linear functions of the leaves; null if the leaves have values only. */
  public @Nullable LinearLeaves linearLeaves() {
    return linearLeaves;
  }

  /**
   * Returns a copy of this tree whose leaf values are the numbers of the leaves, without linear
   * functions.
   */
  public Tree ofLeafNumbers() {
    double[] numbers = new double[leaves.length];
    Arrays.setAll(numbers, leaf -> leaf);
    return new Tree(
        features, thresholds, categories, missing, left, right, numbers, null, depth, statistics);
  }

  /**
   * Returns the amount of training data per node and the gain of each split, if the file contains
   * them.
   */
  public NodeStatistics statistics() {
    return statistics;
  }

  /**
   * Returns whether a document goes to a split's left child.
   *
   * @param value the document's value of the split's feature
   */
  public boolean goesLeft(int split, float value) {
    MissingValue rule = missing[split];
    if (rule.isMissing(value)) {
      return rule.left();
    }
    CategorySet set = categories[split];
    return set == null ? value <= thresholds[split] : set.contains(value);
  }
}
