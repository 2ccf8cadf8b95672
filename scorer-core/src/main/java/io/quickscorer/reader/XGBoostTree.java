// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategoryHash;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tree of an XGBoost model as in its file: parallel arrays over the nodes, node 0 being the
 * root. A leaf's value is in place of a condition.
 *
 * @param offset where the tree begins in the file
 * @param left left children, -1 at a leaf
 * @param right right children, -1 at a leaf
 * @param features split features; {@link #DELETED} marks a node that pruning took out
 * @param conditions split conditions and leaf values, as float bits
 * @param defaultLeft 1 if a missing value goes left
 * @param sets the categories of each categorical split, null elsewhere; empty if there is none
 * @param covers sums of second derivatives, as float bits; empty if not given
 * @param gains gains of the splits, as float bits; empty if not given
 */
record XGBoostTree(
    long offset,
    int[] left,
    int[] right,
    int[] features,
    int[] conditions,
    byte[] defaultLeft,
    @Nullable CategorySet[] sets,
    int[] covers,
    int[] gains) {

  /** The feature of a node that pruning took out; the root never reaches it. */
  static final int DELETED = Integer.MAX_VALUE;

  /**
   * Builds the tree.
   *
   * @param weight of a tree that dropout scaled, else 1; the product is rounded to float first
   */
  Tree build(TreeBuilder builder, int number, float weight) {
    try {
      builder.start(number, left.length);
      for (int node = 0; node < left.length; node++) {
        if (features[node] == DELETED && node != 0) {
          continue;
        }
        if (left[node] < 0) {
          builder.leaf(node, Float.intBitsToFloat(conditions[node]) * weight);
        } else {
          declareSplit(builder, node);
        }
      }
      noteStatistics(builder);
      return builder.build(0);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }

  /**
   * Returns a note on right children that do not follow the left ones: no version of XGBoost writes
   * such trees, and some versions go to the left child's number plus 1 regardless of the file.
   */
  static List<String> notes(Collection<XGBoostTree> trees) {
    long apart = trees.stream().filter(XGBoostTree::hasChildrenApart).count();
    return apart == 0
        ? List.of()
        : List.of(
            "in "
                + apart
                + " of "
                + trees.size()
                + " trees the number of a right child is not the left one's plus 1: XGBoost up to"
                + " 3.0 may go to the left one's plus 1, the scores here are those of XGBoost 3.4,"
                + " which goes to the right child");
  }

  private boolean hasChildrenApart() {
    for (int node = 0; node < left.length; node++) {
      boolean split = left[node] >= 0 && features[node] != DELETED;
      if (split && right[node] - left[node] != 1) {
        return true;
      }
    }
    return false;
  }

  private void noteStatistics(TreeBuilder builder) {
    for (int node = 0; node < covers.length; node++) {
      builder.cover(node, Float.intBitsToFloat(covers[node]));
    }
    for (int node = 0; node < gains.length; node++) {
      builder.gain(node, Float.intBitsToFloat(gains[node]));
    }
  }

  /** Returns the set without numbers that XGBoost does not treat as categories. */
  private static CategorySet known(CategorySet set) {
    return set.end() <= CategoryHash.MAX_CATEGORY + 1
        ? set
        : CategorySet.of(
            Arrays.stream(set.categories())
                .filter(category -> category <= CategoryHash.MAX_CATEGORY)
                .toArray(),
            CategorySet.Rounding.NEGATIVE_IS_NONE);
  }

  private void declareSplit(TreeBuilder builder, int node) {
    MissingValue rule = MissingValue.of(defaultLeft[node] != 0, false);
    CategorySet set = sets.length > 0 ? sets[node] : null;
    if (set != null) {
      builder.checkCategories(node, set);
      // Members go right in XGBoost and left here, so the children are exchanged.
      builder.split(node, features[node], known(set), rule.swapped(), right[node], left[node]);
      return;
    }
    float condition = Float.intBitsToFloat(conditions[node]);
    float bound = Thresholds.lessThan(condition);
    if (Float.isNaN(bound)) {
      // No value is below minus infinity, nor below the NaN that a split on a column without
      // numbers has.
      builder.split(node, features[node], CategorySet.EMPTY, rule, left[node], right[node]);
    } else {
      builder.split(node, features[node], bound, rule, left[node], right[node]);
    }
  }
}
