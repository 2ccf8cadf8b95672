// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * One tree's part of a document's raw score.
 *
 * @param tree the tree's number, from 0
 * @param leaf the exit leaf, counted from the left from 0
 * @param value the exit leaf's value in the raw score's unit
 * @param expected the tree's mean value over the training data
 */
public record TreeContribution(int tree, int leaf, double value, double expected) {
  /** Returns the difference from the tree's mean; the sum of its features' contributions. */
  public double contribution() {
    return value - expected;
  }
}
