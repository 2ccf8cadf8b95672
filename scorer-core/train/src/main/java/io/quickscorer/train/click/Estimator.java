// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/** A method that corrects clicks for how often users look at the position of a hit. */
public enum Estimator {
  /** Assumes that users look at all positions equally, so clicks are not corrected. */
  NAIVE,

  /**
   * Assumes that users look at a position in proportion to its clicks in all searches (clicks over
   * expected clicks). The attention to the first positions is overestimated, because good documents
   * are often there.
   */
  COEC,

  /**
   * Estimates the attention to each position from documents that were shown at several positions.
   */
  UNBIASED
}
