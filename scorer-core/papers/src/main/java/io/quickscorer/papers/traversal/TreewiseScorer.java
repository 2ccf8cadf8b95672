// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;

/** Base class of the engines whose units (see {@link BlockScorer}) are single trees. */
abstract class TreewiseScorer implements BlockScorer {
  private final TreeEnsemble ensemble;
  private final Algorithm algorithm;
  private final int documentsPerBlock;

  protected TreewiseScorer(TreeEnsemble ensemble, Algorithm algorithm, int documentsPerBlock) {
    this.ensemble = ensemble;
    this.algorithm = algorithm;
    this.documentsPerBlock = documentsPerBlock;
  }

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public final Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public final int units() {
    return ensemble.trees().size();
  }

  @Override
  public final int treesPerUnit() {
    return 1;
  }

  @Override
  public final int documentsPerBlock() {
    return documentsPerBlock;
  }
}
