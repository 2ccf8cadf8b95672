// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/** How often users look at a hit that is shown. */
public enum Estimator {
  /** At all positions alike: higher positions get clicks because they are higher. */
  NAIVE,

  /**
   * As often as the position is clicked in all searches, in relation to the one that is clicked
   * most (clicks over expected clicks): takes what good rankings put first for what users look at
   * first.
   */
  COEC,

  /** As estimated from documents that were shown at several positions. */
  UNBIASED
}
