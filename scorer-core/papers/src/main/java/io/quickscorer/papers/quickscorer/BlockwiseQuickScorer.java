// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodeScorer;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * {@link QuickScorer} with small blocks of trees, so that the data of a block stay in the cache. A
 * whole block of documents is scored with one block of trees before the next one. Every feature is
 * scanned once per block of trees, so small blocks are faster only if the data of all trees do not
 * fit the caches.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees", SIGIR 2015, section
 * 4.3; for the search of the block sizes: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods
 * for Fast Execution of Ensemble-based Score Computation", SIGIR 2016, section 5.3.
 */
public final class BlockwiseQuickScorer extends FalseNodeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("bwqs", 0);

  public static final int MAX_LEAVES = Long.SIZE;

  /**
   * Default number of trees per block; with 64 leaves each, the lists of all splits take 0.5 MB.
   */
  public static final int TREES_PER_BLOCK = 400;

  private BlockwiseQuickScorer(TreeEnsemble ensemble, int treesPerBlock, CompileProgress progress) {
    super(ensemble, treesPerBlock, progress);
  }

  /**
   * Compiles an ensemble.
   *
   * @param treesPerBlock number of trees per block, at least 1; the paper's tau
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves
   */
  public static BlockwiseQuickScorer compile(
      TreeEnsemble ensemble, int treesPerBlock, CompileProgress progress) {
    if (treesPerBlock < 1) {
      throw new IllegalArgumentException(treesPerBlock + " trees per block, expected at least 1");
    }
    UnsupportedEnsembleException.checkLeaves("BlockwiseQuickScorer", ensemble, MAX_LEAVES);
    return new BlockwiseQuickScorer(ensemble, treesPerBlock, progress);
  }

  @Override
  public Algorithm algorithm() {
    return ALGORITHM;
  }

  @Override
  public int documentsPerBlock() {
    return 128;
  }
}
