// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.parallel;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Divides the trees among several threads (workers), for batches of a few documents. Workers only
 * find the leaves that documents reach. The calling thread then adds the leaf values in tree order,
 * so scores are bit-identical to those of one thread. The memory is proportional to trees ×
 * documents.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 6.
 */
final class TreeParallelScorer implements EnsembleScorer {
  private static final int TREES_PER_PART = 32;

  private final TreeEnsemble ensemble;
  private final BlockScorer engine;
  private final Executor executor;
  private final int workers;

  private TreeParallelScorer(
      TreeEnsemble ensemble, BlockScorer engine, Executor executor, int workers) {
    this.ensemble = ensemble;
    this.engine = engine;
    this.executor = executor;
    this.workers = workers;
  }

  /**
   * Compiles an ensemble.
   *
   * @param compiler compiles an engine that can score each tree separately: its units are single
   *     trees
   * @param executor runs the workers other than the calling thread; must be closed by the caller
   * @param workers number of threads per batch, including the calling thread; at least 1
   */
  public static TreeParallelScorer compile(
      TreeEnsemble ensemble,
      Function<TreeEnsemble, ? extends BlockScorer> compiler,
      Executor executor,
      int workers) {
    if (ensemble.isBagged()) {
      throw new UnsupportedEnsembleException(
          "the trees form bags (separate forests, whose sums are added), so they cannot be divided"
              + " among threads");
    }
    // In double precision, the sum of one leaf is the leaf's value, even if the ensemble adds
    // floats.
    TreeEnsemble inDouble =
        TreeEnsemble.builder(ensemble.featureNames(), ensemble.source())
            .trees(ensemble.trees())
            .accumulator(Accumulator.DOUBLE)
            .build();
    BlockScorer engine = compiler.apply(inDouble);
    if (workers < 1 || engine.treesPerUnit() != 1) {
      throw new IllegalArgumentException(
          "found "
              + workers
              + " workers and an engine with "
              + engine.treesPerUnit()
              + " trees per unit; expected at least 1 worker and exactly 1 tree per unit");
    }
    return new TreeParallelScorer(ensemble, engine, executor, workers);
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return engine.algorithm();
  }

  @Override
  public long bytes() {
    return engine.bytes();
  }

  private static final class Rows implements Scratch {
    final WorkerScratch workers;
    double[][] leaves;

    Rows(WorkerScratch workers, int trees) {
      this.workers = workers;
      this.leaves = new double[trees][0];
    }

    void reserve(int documents) {
      if (leaves[0].length < documents) {
        leaves = new double[leaves.length][documents];
      }
    }

    @Override
    public long bytes() {
      return workers.bytes() + 8L * leaves.length * leaves[0].length;
    }
  }

  @Override
  public Scratch newScratch() {
    Scratch[] buffers = Stream.generate(engine::newScratch).limit(workers).toArray(Scratch[]::new);
    return new Rows(new WorkerScratch(buffers), engine.units());
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Rows rows = (Rows) scratch;
    int documents = matrix.documents();
    rows.reserve(documents);
    for (Scratch buffers : rows.workers.workers()) {
      engine.prepare(matrix, 0, documents, buffers);
    }
    int trees = engine.units();
    WorkerPool.run(
        executor,
        workers,
        Math.ceilDiv(trees, TREES_PER_PART),
        (worker, part) -> {
          int first = part * TREES_PER_PART;
          for (int t = first; t < Math.min(trees, first + TREES_PER_PART); t++) {
            // The sum of -0 and any value is this value, even if it is -0.
            Arrays.fill(rows.leaves[t], 0, documents, -0.0);
            Scratch buffers = rows.workers.workers()[worker];
            engine.add(t, matrix, 0, documents, buffers, rows.leaves[t]);
            checkpoint.pass();
          }
        });
    add(rows.leaves, documents, scores);
  }

  private void add(double[][] leaves, int documents, double[] scores) {
    Accumulator accumulator = ensemble.accumulator();
    Arrays.fill(scores, 0, documents, ensemble.initialScore());
    for (double[] row : leaves) {
      for (int document = 0; document < documents; document++) {
        scores[document] = accumulator.add(scores[document], row[document]);
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }
}
