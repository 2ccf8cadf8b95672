// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * The contribution of one tree to a document's raw score.
 *
 * @param tree the tree's number, from 0
 * @param leaf the number of the exit leaf, from the left, from 0
 * @param value the value of the exit leaf in the unit of the raw score
 * @param expected the mean value of the tree over the training data, in the unit of the raw score
 */
public record TreeContribution(int tree, int leaf, double value, double expected) {
  /** Returns the leaf's value minus the tree's mean: the sum of the tree's contributions. */
  public double contribution() {
    return value - expected;
  }
}
