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
 * Scores of documents by a clause's models, from the values of the clause's groups of features,
 * wherever these were extracted.
 */
public final class ModelScores {
  /** Documents times trees scored between two checks for cancellation: some milliseconds. */
  private static final long BLOCK_WORK = 1 << 20;

  /**
   * Documents times trees that are worth a thread: 0.6 ms at 1.1 ns each. With half of that windows
   * of 1,000 were no faster and cost 5 % more.
   */
  private static final long MIN_THREAD_WORK = 1 << 19;

  /** Documents of the smallest blocks that threads share: engines are slower with fewer. */
  private static final int MIN_SHARED_BLOCK = 512;

  /** Engines' buffers of a thread, where they are by document: blocks are no larger. */
  private static final long MAX_SCRATCH = 1 << 25;

  /** Blocks per thread, so that one that is slower, or starts late, takes fewer. */
  private static final int BLOCKS_PER_THREAD = 4;

  private final RescoreServices services;
  private final ClauseOptions options;
  private final BoundClause bound;

  public ModelScores(RescoreServices services, ClauseOptions options, BoundClause bound) {
    this.services = services;
    this.options = options;
    this.bound = bound;
  }

  /**
   * @param models the clause's models, in use
   * @param matrices per group the values of its features, all of the same documents
   * @param columns per group and feature its column in the group's matrix, or -1
   * @param direct whether there is one matrix, made to be the only model's own
   * @param stats counts what is scored; null for what was counted before
   * @param extractNanos what the values took, for the statistics
   * @return per model the scores of the documents
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
        stats.observed().observe(model.id(), matrix);
        stats.drift().observe(model.id(), () -> model.scorer().ensemble(), matrix);
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
      stats.comparisons().scored(bound.ids(), scores);
    }
    return scores;
  }

  /** A model's own matrix: the extracted one, put in order, or columns copied out of it. */
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

  /** Scores block after block; if threads are idle, several blocks of a large window at a time. */
  private double[] score(
      ModelId id, EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long trees = Math.max(1, scorer.ensemble().shape().trees());
    long perBlock = BLOCK_WORK / trees / FeatureMatrix.BLOCK;
    int most = Math.clamp(perBlock, 1, 1 << 10) * FeatureMatrix.BLOCK;
    while (most > FeatureMatrix.BLOCK && scorer.scratchBytes(most) > MAX_SCRATCH) {
      most = most / 2 / FeatureMatrix.BLOCK * FeatureMatrix.BLOCK;
    }
    long scratch = scorer.scratchBytes(Math.min(most, documents));
    long bytes = FeatureMatrix.cells(matrix.features(), most) * Float.BYTES + 8L * most;
    CircuitBreaker breaker = services.memory().breaker();
    try (MemoryCharge charge = MemoryCharge.take(breaker, scratch, "quickscorer engine");
        Helpers helpers = helpers(scorer, documents * trees, scratch + bytes)) {
      int block = helpers.threads() == 1 ? most : shared(documents, most, helpers.threads());
      helpers.run(
          Math.ceilDiv(documents, block),
          parts -> score(parts, block, id, scorer, matrix, scores, cancellation));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return scores;
  }

  /** None for a device, which works on a batch by itself. */
  private Helpers helpers(EnsembleScorer scorer, long work, long bytes) {
    return scorer.uses(Algorithm.GPU) || scorer.uses(Algorithm.GPU_QS)
        ? Helpers.NONE
        : services.idle().ask(work, MIN_THREAD_WORK, bytes);
  }

  private static int shared(int documents, int most, int threads) {
    int even = Math.ceilDiv(documents, BLOCKS_PER_THREAD * threads);
    int block = Math.ceilDiv(even, MIN_SHARED_BLOCK) * MIN_SHARED_BLOCK;
    return Math.min(most, block);
  }

  /** One thread's blocks, between which a cancelled search stops. */
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
      scorer.score(copy, scratch, copyScores);
      services.verifier().offer(id, scorer, scratch, copy, copyScores);
      if (!whole) {
        System.arraycopy(copyScores, 0, scores, from, count);
      }
    }
    buffers.keep(id, scorer, scratch);
  }
}
