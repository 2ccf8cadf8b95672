// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Helpers;
import io.quickscorer.plugin.feature.window.Parts;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.breaker.CircuitBreaker;

/**
 * Scores documents with a clause's models, using the feature values in the matrices of the clause's
 * groups.
 */
record ModelScores(RescoreServices services, ClauseOptions options, BoundClause bound) {
  /**
   * Minimum work per thread, as the product of documents and trees. It takes 0.6 ms, at 1.1 ns per
   * document and tree. With half of this minimum, windows of 1,000 documents were not faster and
   * cost 5 % more.
   */
  private static final long MIN_THREAD_WORK = 1 << 19;

  /**
   * Minimum number of documents in a block, if a window is divided into blocks. Engines are slower
   * with fewer documents.
   */
  private static final int MIN_BLOCK = 512;

  /**
   * Maximum size of the buffers that an engine needs for a batch, in bytes. A window that needs
   * more is divided into blocks.
   */
  private static final long MAX_SCRATCH = 1 << 25;

  /** Number of blocks per thread. A thread that is slower or starts late processes fewer blocks. */
  private static final int BLOCKS_PER_THREAD = 4;

  /**
   * Returns the scores of the documents, for each model.
   *
   * @param models the clause's models, acquired by the caller
   * @param matrices for each group, the values of its features, all for the same documents
   * @param columns for each group and feature, the feature's column in the group's matrix, or -1
   * @param direct whether the only matrix already has the columns of the only model
   * @param stats counts the scores; null if they were counted before
   * @param extractNanos the time for computing the feature values, in nanoseconds, for the
   *     statistics
   */
  public double[][] of(
      List<CompiledModel> models,
      List<FeatureMatrix> matrices,
      List<int[]> columns,
      boolean direct,
      @Nullable RescoreStats stats,
      long extractNanos,
      Cancellation cancellation) {
    double[][] scores = new double[models.size()][];
    for (int m = 0; m < scores.length; m++) {
      CompiledModel model = models.get(m);
      FeatureMatrix matrix = matrix(m, model, matrices, columns, direct);
      if (stats != null) {
        stats.observe(model.id(), () -> model.scorer().ensemble(), matrix);
      }
      long begin = System.nanoTime();
      scores[m] =
          services
              .engines()
              .with(model, options, scorer -> score(model.id(), scorer, matrix, cancellation));
      if (stats != null) {
        stats.scored(model.id(), matrix.documents(), extractNanos, System.nanoTime() - begin);
      }
      if (options.transformed()) {
        for (int i = 0; i < scores[m].length; i++) {
          scores[m][i] = model.transform().apply(scores[m][i]);
        }
      }
    }
    if (stats != null) {
      stats.comparisons().scored(options.names().experiment(), bound.ids(), scores);
    }
    return scores;
  }

  /**
   * Returns the matrix that a model scores: the matrix of the model's group with its columns
   * reordered, or a new matrix with copies of the columns that the model needs.
   *
   * @param m the model's index in the clause
   */
  public FeatureMatrix matrix(
      int m,
      CompiledModel model,
      List<FeatureMatrix> matrices,
      List<int[]> columns,
      boolean direct) {
    int g = bound.models().get(m).group();
    FeatureMatrix extracted = matrices.get(g);
    FeatureMatrix matrix =
        direct ? extracted : new FeatureMatrix(ModelColumns.width(model), extracted.documents());
    List<BoundFeature> group = bound.groups().get(g).features();
    ModelColumns.arrange(ModelColumns.places(model, group), columns.get(g), extracted, matrix);
    return matrix;
  }

  /**
   * Scores a window as one batch, or in blocks if threads are idle or if the engine's buffers would
   * be too large.
   */
  private double[] score(
      ModelId id, EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long trees = Math.max(1, scorer.ensemble().shape().trees());
    int max = Math.max(1, documents);
    while (max > MIN_BLOCK && scorer.scratchBytes(max) > MAX_SCRATCH) {
      max = Math.ceilDiv(max / 2, MIN_BLOCK) * MIN_BLOCK;
    }
    long scratch = scorer.scratchBytes(max);
    long bytes = FeatureMatrix.cells(matrix.features(), max) * Float.BYTES + 8L * max;
    CircuitBreaker breaker = services.memory().breaker();
    try (MemoryCharge charge = MemoryCharge.take(breaker, scratch, "quickscorer engine");
        Helpers helpers = helpers(scorer, documents * trees, scratch + bytes)) {
      int block = helpers.threads() == 1 ? max : shared(documents, max, helpers.threads());
      helpers.run(
          Math.ceilDiv(documents, block),
          parts -> score(parts, block, id, scorer, matrix, scores, cancellation));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scores;
  }

  /**
   * Returns threads that help to score a window. A GPU needs none, because it divides a batch by
   * itself.
   */
  private Helpers helpers(EnsembleScorer scorer, long work, long bytes) {
    return scorer.uses(Algorithm.GPU) || scorer.uses(Algorithm.GPU_QS)
        ? Helpers.NONE
        : services.idle().ask(work, MIN_THREAD_WORK, bytes);
  }

  private static int shared(int documents, int max, int threads) {
    int even = Math.ceilDiv(documents, BLOCKS_PER_THREAD * threads);
    int block = Math.ceilDiv(even, MIN_BLOCK) * MIN_BLOCK;
    return Math.min(max, block);
  }

  /**
   * Scores blocks of a window on the present thread, until no block is left. Stops between or
   * within blocks if the search is cancelled.
   */
  private void score(
      Parts parts,
      int block,
      ModelId id,
      EnsembleScorer scorer,
      FeatureMatrix matrix,
      double[] scores,
      Cancellation cancellation) {
    int part = parts.next();
    if (part < 0) {
      return;
    }
    int documents = matrix.documents();
    boolean whole = documents <= block;
    IdleBuffers buffers = services.engines().buffers();
    Scratch scratch = buffers.takeScratch(scorer);
    FeatureMatrix copy = whole ? matrix : new FeatureMatrix(matrix.features(), block);
    double[] copyScores = whole ? scores : new double[block];
    for (; part >= 0; part = parts.next()) {
      cancellation.check();
      int from = part * block;
      int count = Math.min(block, documents - from);
      if (!whole) {
        copy.setFrom(matrix, from, count);
      }
      scorer.score(copy, scratch, copyScores, cancellation::check);
      services.verifier().offer(id, scorer, scratch, copy, copyScores);
      if (!whole) {
        System.arraycopy(copyScores, 0, scores, from, count);
      }
    }
    buffers.keep(id, scorer, scratch);
  }
}
