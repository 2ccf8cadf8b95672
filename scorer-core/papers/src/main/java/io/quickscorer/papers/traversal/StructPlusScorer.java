// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;

/**
 * Follows trees whose splits are in flat arrays in breadth-first order. So the upper levels, which
 * every document visits, share cache lines. A whole block of documents is scored with one tree
 * before the next tree. Supports every ensemble.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (STRUCT+).
 */
public final class StructPlusScorer extends FlatTreeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("struct+", 0);

  private StructPlusScorer(TreeEnsemble ensemble, FlatTrees trees) {
    super(ensemble, trees);
  }

  public static StructPlusScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    return new StructPlusScorer(ensemble, FlatTrees.breadthFirst(ensemble, progress));
  }

  @Override
  public Algorithm algorithm() {
    return ALGORITHM;
  }

  /**
   * Returns the number of documents per block. Their feature values fit into the second-level
   * cache.
   */
  @Override
  public int documentsPerBlock() {
    return 256;
  }
}
