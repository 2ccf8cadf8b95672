// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Divides the documents of a batch among several threads (workers). Each worker has its own
 * bitvectors; all workers share the model. One worker scores a document for all trees, so scores
 * are bit-identical to those of one thread. With the engine vQS, this is the paper's vQS MT.
 *
 * <p>Source: Lettich, Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "Parallel
 * Traversal of Large Ensembles of Decision Trees", IEEE TPDS 30(9), 2019, section 5 of the
 * manuscript.
 *
 * @param blocks the engine, which scores each part of a batch
 * @param executor runs the workers other than the calling thread; must be closed by the caller
 * @param workers number of threads per batch, including the calling thread; at least 1
 */
public record DocumentParallelScorer(BlockScorer blocks, Executor executor, int workers)
    implements EnsembleScorer {
  /**
   * Number of documents that a free worker (thread) takes at a time; a multiple of {@link
   * BlockScorer#granule}.
   */
  private static final int DOCUMENTS_PER_PART = 2 * FeatureMatrix.BLOCK;

  public DocumentParallelScorer {
    if (workers < 1) {
      throw new IllegalArgumentException(workers + " workers, expected at least 1");
    }
  }

  @Override
  public TreeEnsemble ensemble() {
    return blocks.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return blocks.algorithm();
  }

  @Override
  public long bytes() {
    return blocks.bytes();
  }

  /** Returns the memory of the buffers of all workers. */
  @Override
  public long scratchBytes(int documents) {
    return workers * blocks.scratchBytes(documents);
  }

  @Override
  public void close() {
    blocks.close();
  }

  @Override
  public Scratch newScratch() {
    return new WorkerScratch(
        Stream.generate(blocks::newScratch).limit(workers).toArray(Scratch[]::new));
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Scratch[] buffers = ((WorkerScratch) scratch).workers();
    int documents = matrix.documents();
    int parts = Math.ceilDiv(documents, DOCUMENTS_PER_PART);
    WorkerPool.run(
        executor,
        workers,
        parts,
        (worker, part) -> {
          checkpoint.pass();
          int from = part * DOCUMENTS_PER_PART;
          int to = Math.min(documents, from + DOCUMENTS_PER_PART);
          score(matrix, from, to, buffers[worker], scores, checkpoint);
        });
  }

  private void score(
      FeatureMatrix matrix,
      int from,
      int to,
      Scratch scratch,
      double[] scores,
      Checkpoint checkpoint) {
    Arrays.fill(scores, from, to, ensemble().initialScore());
    blocks.prepare(matrix, from, to, scratch);
    long work = 0;
    for (int unit = 0; unit < blocks.units(); unit++) {
      blocks.add(unit, matrix, from, to, scratch, scores);
      work += (long) (to - from) * blocks.treesPerUnit();
      if (work >= Checkpoint.WORK) {
        checkpoint.pass();
        work = 0;
      }
    }
    blocks.finish(from, to, scores);
  }
}
