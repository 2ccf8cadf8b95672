// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

/**
 * The nesting of the loops over documents (D) and scorers (S). In the paper, a scorer is a tree or
 * a block of trees; the code calls it a unit. The first letter is the outermost loop. If a letter
 * occurs twice, the outer loop takes blocks, and the inner loop takes the elements of a block.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, section 3.
 */
public enum LoopOrder {
  /** The loops, without blocks: for each document, for each scorer (tree or block of trees). */
  DS,
  /** The loops: for each block of documents, for each scorer, for each document of the block. */
  DSD,
  /** The loops: for each block of scorers, for each document, for each scorer of the block. */
  SDS,
  /**
   * The loops: for each block of documents, for each block of scorers, for each document of the
   * block, for each scorer of the block.
   */
  DSDS,
  /**
   * The loops: for each block of scorers, for each block of documents, for each scorer of the
   * block, for each document of the block.
   */
  SDSD
}
