// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One tree as flat arrays, made by {@link TreeBuilder}.
 *
 * <p>Splits are numbered in preorder from 0, the root being 0 when there is one; leaves left to
 * right from 0. A child is a split's number, or {@code ~leaf} for a leaf. A tree of a single leaf
 * has no split. At a numeric split a present value x goes left when {@code x <= threshold}; at a
 * categorical one when its {@link CategorySet} contains x; a missing value as {@link MissingValue}
 * says.
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

  /** Returns the splits on the longest path from the root to a leaf. */
  public int depth() {
    return depth;
  }

  public int feature(int split) {
    return features[split];
  }

  /** Returns the bound of a numeric split; meaningless for a categorical one. */
  public float threshold(int split) {
    return thresholds[split];
  }

  /** Returns the categories that go left; null for a numeric split. */
  public @Nullable CategorySet categories(int split) {
    return categories[split];
  }

  public MissingValue missing(int split) {
    return missing[split];
  }

  /** Returns the left child: a split's number, or {@code ~leaf}. */
  public int left(int split) {
    return left[split];
  }

  /** Returns the right child: a split's number, or {@code ~leaf}. */
  public int right(int split) {
    return right[split];
  }

  /**
   * Returns a leaf's value; for a linear leaf, the value that is used if one of its features is
   * missing.
   */
  public double leafValue(int leaf) {
    return leaves[leaf];
  }

  /** Returns the functions of the leaves; null if the leaves have values only. */
  public @Nullable LinearLeaves linearLeaves() {
    return linearLeaves;
  }

  /**
   * Returns a tree with the same splits in which each leaf's value is its number and no leaf is
   * linear.
   */
  public Tree ofLeafNumbers() {
    double[] numbers = new double[leaves.length];
    Arrays.setAll(numbers, leaf -> leaf);
    return new Tree(
        features, thresholds, categories, missing, left, right, numbers, null, depth, statistics);
  }

  /** Returns the covers and gains of the nodes, if the file has them. */
  public NodeStatistics statistics() {
    return statistics;
  }

  /** Returns whether a value of the split's feature goes to the left child. */
  public boolean goesLeft(int split, float value) {
    MissingValue rule = missing[split];
    if (rule.isMissing(value)) {
      return rule.left();
    }
    CategorySet set = categories[split];
    return set == null ? value <= thresholds[split] : set.contains(value);
  }
}
