// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/** A model of how often users look at a hit that is shown. */
public enum Estimator {
  /** Users look at all positions equally. Clicks are not corrected for the position. */
  NAIVE,

  /**
   * Users look at a position in proportion to its clicks in all searches (clicks over expected
   * clicks). The attention to the first positions is overestimated, because good documents are
   * often there.
   */
  COEC,

  /**
   * The attention to a position is estimated from documents that were shown at several positions.
   */
  UNBIASED
}
