// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the features that a model uses. */
final class UsedFeatures {

  private UsedFeatures() {}

  /**
   * Returns the features that influence scores: those of splits, of derived columns that splits
   * test, of linear terms and of linear leaves.
   *
   * @param features the number of the model's features
   * @throws InvalidModelException if a split, a term or a leaf uses a column that does not exist
   */
  static BitSet of(
      List<Tree> trees,
      @Nullable LinearTerms linear,
      @Nullable DerivedColumns derived,
      int features) {
    BitSet used = usedColumns(trees, linear);
    int columns = features + (derived == null ? 0 : derived.size());
    if (used.length() > columns) {
      throw new InvalidModelException(
          "a split or term uses feature "
              + (used.length() - 1)
              + ", but the largest feature is "
              + (columns - 1));
    }
    if (derived != null) {
      useInputs(used, derived, features);
    }
    return used;
  }

  private static BitSet usedColumns(List<Tree> trees, @Nullable LinearTerms linear) {
    BitSet used = new BitSet();
    for (Tree tree : trees) {
      for (int split = 0; split < tree.splits(); split++) {
        used.set(tree.feature(split));
      }
      LinearLeaves leaves = tree.linearLeaves();
      for (int leaf = 0; leaves != null && leaf < tree.leaves(); leaf++) {
        for (int term = 0; term < leaves.terms(leaf); term++) {
          used.set(leaves.feature(leaf, term));
        }
      }
    }
    for (int term = 0; linear != null && term < linear.size(); term++) {
      used.set(linear.feature(term));
    }
    return used;
  }

  /** Replaces each derived column in {@code used} by the features from which it is computed. */
  private static void useInputs(BitSet used, DerivedColumns derived, int features) {
    int first = features;
    for (DerivedColumns.Group group : derived.groups()) {
      int end = first + group.columns();
      int column = used.nextSetBit(first);
      if (column >= 0 && column < end) {
        used.clear(first, end);
        used.or(group.inputs());
      }
      first = end;
    }
  }
}
