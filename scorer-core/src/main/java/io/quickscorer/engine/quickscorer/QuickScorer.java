// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;

/**
 * QuickScorer, which processes all trees at once, feature by feature. A bitvector has one bit per
 * leaf of a tree: 1 for each leaf that the document may still reach. A false node is a split whose
 * test fails; it clears the leaves of its left subtree. In the end, the lowest 1 bit is the leaf
 * that the document reaches. The thresholds of a feature ascend, so a scan that ends at the first
 * true node finds all false nodes of a value.
 *
 * <p>Layout: see {@link FalseNodes}. Supports up to 64 leaves per tree. Trees form blocks of
 * {@value #TREES_PER_BLOCK}, so that the data of a block stay in the second-level cache.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees", SIGIR 2015, section 3.
 */
public final class QuickScorer extends FalseNodeScorer {
  public static final int MAX_LEAVES = Long.SIZE;

  private static final int TREES_PER_BLOCK = 1024;

  private QuickScorer(TreeEnsemble ensemble, CompileProgress progress) {
    super(ensemble, TREES_PER_BLOCK, progress);
  }

  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= MAX_LEAVES;
  }

  /**
   * Compiles an ensemble.
   *
   * @throws UnsupportedEnsembleException if a tree has more than {@link #MAX_LEAVES} leaves
   */
  public static QuickScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    UnsupportedEnsembleException.checkLeaves("QuickScorer", ensemble, MAX_LEAVES);
    return new QuickScorer(ensemble, progress);
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.QS;
  }
}
