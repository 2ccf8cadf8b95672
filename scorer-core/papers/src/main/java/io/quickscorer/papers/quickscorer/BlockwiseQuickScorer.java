// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodeScorer;
import io.quickscorer.engine.quickscorer.FalseNodes;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * Block-wise QuickScorer: {@link QuickScorer} over small tree blocks, each of which is applied to a
 * whole document block before the next one, so that the lists of the one and the values of the
 * other stay in cache. Small blocks scan every feature more often, with fewer false nodes each
 * time: it pays where the lists of all trees outgrow the caches.
 *
 * <p>Layout: see {@link FalseNodes}. Up to 64 leaves per tree.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees", SIGIR 2015, section
 * 4.3; the search of the block sizes: Jin, Yang, Tang, "A Comparison of Cache Blocking Methods for
 * Fast Execution of Ensemble-based Score Computation", SIGIR 2016, section 5.3.
 */
public final class BlockwiseQuickScorer extends FalseNodeScorer {
  /** Block-wise QuickScorer. */
  public static final Algorithm ALGORITHM = new Algorithm("bwqs", 0);

  /** Most leaves of a tree. */
  public static final int MAX_LEAVES = Long.SIZE;

  /** Trees per block unless a plan says otherwise: half a megabyte of lists at 64 leaves. */
  public static final int TREES_PER_BLOCK = 400;

  private BlockwiseQuickScorer(TreeEnsemble ensemble, int treesPerBlock, CompileProgress progress) {
    super(ensemble, treesPerBlock, progress);
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /**
   * @param treesPerBlock the paper's tau, 1 or more
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves
   */
  public static BlockwiseQuickScorer compile(TreeEnsemble ensemble, int treesPerBlock) {
    return compile(ensemble, treesPerBlock, CompileProgress.NONE);
  }

  /** Compiles an ensemble and reports progress. */
  public static BlockwiseQuickScorer compile(
      TreeEnsemble ensemble, int treesPerBlock, CompileProgress progress) {
    if (treesPerBlock < 1) {
      throw new IllegalArgumentException(treesPerBlock + " trees per block, expected 1 or more");
    }
    if (!supports(ensemble.shape())) {
      throw UnsupportedEnsembleException.tooManyLeaves(
          "BlockwiseQuickScorer", ensemble, MAX_LEAVES);
    }
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

  @Override
  protected double addExitLeaves(FalseNodes block, long[] leaves, double sum) {
    return addSingleWords(block, leaves, sum);
  }
}
