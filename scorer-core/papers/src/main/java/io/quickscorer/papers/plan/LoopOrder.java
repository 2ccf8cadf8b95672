// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

/**
 * Nesting of the loops over documents (D) and over scorers (S: trees or tree blocks), the outermost
 * first; an inner letter is a block of a step of the outer loop.
 *
 * <p>Source: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for Fast Execution of
 * Ensemble-based Score Computation", SIGIR 2016, section 3.
 */
public enum LoopOrder {
  /** Document after document, each through all scorers: no blocking. */
  DS,
  /** Per document block: scorer after scorer. */
  DSD,
  /** Per scorer block: document after document. */
  SDS,
  /** Per document block, per scorer block: document after document. */
  DSDS,
  /** Per scorer block, per document block: scorer after scorer. */
  SDSD
}
