// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

/**
 * The nesting of the loops over documents (D) and over the paper's scorers (S), which are trees or
 * blocks of trees; the code calls a scorer a unit. The first letter is the outermost loop. If a
 * letter occurs twice, the outer loop takes blocks, and the inner loop takes the elements of a
 * block.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, section 3.
 */
public enum LoopOrder {
  /** For each document: for each scorer. There are no blocks. */
  DS,
  /** For each block of documents: for each scorer: for each document of the block. */
  DSD,
  /** For each block of scorers: for each document: for each scorer of the block. */
  SDS,
  /**
   * For each block of documents: for each block of scorers: for each document of the block: for
   * each scorer of the block.
   */
  DSDS,
  /**
   * For each block of scorers: for each block of documents: for each scorer of the block: for each
   * document of the block.
   */
  SDSD
}
