// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * The contribution of one tree to a document's raw score.
 *
 * @param tree the tree's number, from 0
 * @param leaf the number of the leaf that the document reaches, counted from the left, from 0
 * @param value the value of this leaf, in the unit of the raw score
 * @param expected the mean value of the tree over the training data, in the unit of the raw score
 */
public record TreeContribution(int tree, int leaf, double value, double expected) {
  /**
   * Returns the contribution of the tree: the value of the document's leaf minus the tree's mean.
   */
  public double contribution() {
    return value - expected;
  }
}
