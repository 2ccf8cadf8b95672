// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/** Models of how often users look at a hit that is shown. */
public enum Estimator {
  /**
   * Users look at all positions equally, so higher positions get clicks because they are higher.
   */
  NAIVE,

  /**
   * Users look at a position in proportion to its clicks in all searches (clicks over expected
   * clicks). Good documents ranked first are mistaken for attention to the first positions.
   */
  COEC,

  /** The attention is estimated from documents that were shown at several positions. */
  UNBIASED
}
