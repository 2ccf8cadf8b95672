// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;

/**
 * Walks trees whose splits lie breadth-first in flat arrays, so that the upper levels, which every
 * document visits, share cache lines. One tree is walked by a whole document block before the next
 * tree is touched. Takes every ensemble.
 *
 * <p>Layout: see {@link FlatTrees#breadthFirst}.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (STRUCT+).
 */
public final class StructPlusScorer extends FlatTreeScorer {
  /** Flat-array walk of nodes in breadth-first order. */
  public static final Algorithm ALGORITHM = new Algorithm("struct+", 0);

  private StructPlusScorer(TreeEnsemble ensemble, FlatTrees trees) {
    super(ensemble, trees);
  }

  public static StructPlusScorer compile(TreeEnsemble ensemble) {
    return compile(ensemble, CompileProgress.NONE);
  }

  /** Compiles an ensemble and reports progress. */
  public static StructPlusScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    return new StructPlusScorer(ensemble, FlatTrees.breadthFirst(ensemble, progress));
  }

  @Override
  public Algorithm algorithm() {
    return ALGORITHM;
  }

  /**
   * Returns as many documents as keep their columns in the second-level cache while the trees pass.
   */
  @Override
  public int documentsPerBlock() {
    return 256;
  }
}
