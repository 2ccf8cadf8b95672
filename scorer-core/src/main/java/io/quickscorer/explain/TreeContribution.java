// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * The part of a document's raw score that one tree adds.
 *
 * @param tree the tree's number, from 0
 * @param leaf the exit leaf, counted from the left from 0
 * @param value what the exit leaf adds
 * @param expected what the tree adds on average over the training data
 */
public record TreeContribution(int tree, int leaf, double value, double expected) {
  /** By how much this document is above the average; the sum of the tree's contributions. */
  public double contribution() {
    return value - expected;
  }
}
