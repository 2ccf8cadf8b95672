// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.verify.Verifier;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scores of documents by a clause's models, from the values of the clause's groups of features,
 * wherever these were extracted.
 */
public final class ModelScores {
  /** Documents times trees scored between two checks for cancellation: some milliseconds. */
  private static final long BLOCK_WORK = 1 << 20;

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

  private double[] score(
      ModelId id, EnsembleScorer scorer, FeatureMatrix matrix, Cancellation cancellation) {
    IdleScratches scratches = services.engines().scratches();
    Scratch scratch = scratches.take(scorer);
    double[] scores = score(id, scorer, scratch, matrix, cancellation);
    scratches.keep(id, scorer, scratch);
    return scores;
  }

  /** Scores block after block, so that a cancelled search stops soon. */
  private double[] score(
      ModelId id,
      EnsembleScorer scorer,
      Scratch scratch,
      FeatureMatrix matrix,
      Cancellation cancellation) {
    Verifier verifier = services.verifier();
    int documents = matrix.documents();
    double[] scores = new double[documents];
    long perBlock =
        BLOCK_WORK / Math.max(1, scorer.ensemble().shape().trees()) / FeatureMatrix.BLOCK;
    int block = (int) Math.max(1, Math.min(perBlock, 1 << 10)) * FeatureMatrix.BLOCK;
    cancellation.check();
    if (documents <= block) {
      scorer.score(matrix, scratch, scores);
      verifier.offer(id, scorer, scratch, matrix, scores);
      return scores;
    }
    FeatureMatrix part = new FeatureMatrix(matrix.features(), block);
    double[] partScores = new double[block];
    for (int from = 0; from < documents; from += block) {
      int count = Math.min(block, documents - from);
      part.setFrom(matrix, from, count);
      cancellation.check();
      scorer.score(part, scratch, partScores);
      verifier.offer(id, scorer, scratch, part, partScores);
      System.arraycopy(partScores, 0, scores, from, count);
    }
    return scores;
  }
}
