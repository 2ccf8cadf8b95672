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
 * One tree of an XGBoost model in the form of the file: arrays with one element per node. Node 0 is
 * the root.
 *
 * @param offset the byte offset of the tree in the file
 * @param left the left child of each node; -1 for a leaf
 * @param right the right child of each node; -1 for a leaf
 * @param features the feature of each split; {@link #DELETED} for a node that pruning removed
 * @param conditions the condition of each split and the value of each leaf, as float bits
 * @param defaultLeft for each split, 1 if missing values go left, otherwise 0
 * @param sets the categories of each categorical split, null for other nodes; empty if there are
 *     none
 * @param covers the sum of second derivatives of each node, as float bits; empty if absent
 * @param gains the gain of each split, as float bits; empty if absent
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

  /**
   * The number that a node has in place of a feature if pruning removed the node. The root does not
   * lead to such a node.
   */
  static final int DELETED = Integer.MAX_VALUE;

  /**
   * Returns the tree in this library's form.
   *
   * @param weight the factor of each leaf value, which differs from 1 if XGBoost's dropout scaled
   *     the tree; the products are rounded to float
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
   * Returns a note for the user if a node's right child does not directly follow its left child. No
   * version of XGBoost writes such trees, and some versions use the node after the left child as
   * the right child.
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
                + " trees, the number of a right child is not the left child's number plus 1:"
                + " XGBoost up to 3.0 may go to the node with that number; the scores here are"
                + " those of XGBoost 3.4, which goes to the right child");
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

  /** Returns a set without those categories that are too large for XGBoost. */
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
      // In XGBoost, values in the set go right, so the children are exchanged.
      builder.split(node, features[node], known(set), rule.swapped(), right[node], left[node]);
      return;
    }
    float condition = Float.intBitsToFloat(conditions[node]);
    float bound = Thresholds.lessThan(condition);
    if (Float.isNaN(bound)) {
      // No value is less than minus infinity, or than NaN, which is the condition of a split on a
      // column without numbers.
      builder.split(node, features[node], CategorySet.EMPTY, rule, left[node], right[node]);
    } else {
      builder.split(node, features[node], bound, rule, left[node], right[node]);
    }
  }
}
