// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;

/**
 * Base class of the engines with predication, which compute a document's next node without a
 * branch. Subclasses differ in the number of documents that are processed together, and in how the
 * next node is computed. Supports every ensemble.
 */
abstract class LoopedTreeScorer extends TreewiseScorer {
  /** Number of documents per block, whose keys (values as integers) fit the second-level cache. */
  private static final int DOCUMENTS_PER_BLOCK = 256;

  private final int lanes;
  private final OrderedColumns columns;
  private final LoopedTrees trees;

  /**
   * Compiles the trees of an ensemble.
   *
   * @param lanes number of documents that are processed together, at least 1
   */
  protected LoopedTreeScorer(
      TreeEnsemble ensemble, Algorithm algorithm, int lanes, CompileProgress progress) {
    super(ensemble, algorithm, DOCUMENTS_PER_BLOCK);
    this.lanes = lanes;
    OrderedColumns.Assignment assignment = OrderedColumns.of(ensemble, progress.part(0, 0.5));
    this.columns = assignment.columns();
    this.trees = LoopedTrees.of(ensemble, assignment, progress.part(0.5, 1));
  }

  protected final LoopedTrees trees() {
    return trees;
  }

  @Override
  public final long bytes() {
    return columns.bytes() + trees.bytes();
  }

  /** Returns new buffers, with two indices per document: one of a node, one in the keys array. */
  @Override
  public final Scratch newScratch() {
    return new KeyScratch(2 * lanes, 0);
  }

  @Override
  public final long scratchBytes(int documents) {
    return columns.keyBytes(documents);
  }

  @Override
  public final int granule() {
    return lanes;
  }

  @Override
  public final void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {
    ((KeyScratch) scratch).fill(columns, matrix, from, to);
  }
}
