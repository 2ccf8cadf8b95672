// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.plan.Plans;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import org.jspecify.annotations.Nullable;

/** A contender that is a scorer of this library. */
final class QuickScorerContender implements Contender {
  private final EnsembleScorer scorer;
  private final Label label;
  private final Scratch scratch;
  private final Batches batches;

  /** The matrix to which each batch's rows are copied; null to score the batch's own matrix. */
  private final @Nullable FeatureMatrix copy;

  private final double[] scores;

  private QuickScorerContender(
      EnsembleScorer scorer, Label label, Batches batches, @Nullable FeatureMatrix copy) {
    this.scorer = scorer;
    this.label = label;
    this.scratch = scorer.newScratch();
    this.batches = batches;
    this.copy = copy;
    this.scores = new double[batches.documents()];
  }

  /** Returns a contender whose scorer gets feature matrices, this library's own layout. */
  static QuickScorerContender fromMatrices(
      EnsembleScorer scorer, int threads, @Nullable String plan, Batches batches) {
    return new QuickScorerContender(scorer, label(scorer, threads, plan, ""), batches, null);
  }

  /**
   * Returns a contender that gets row-major arrays (document after document). It copies each array
   * to a matrix, and scores the matrix.
   */
  static QuickScorerContender fromRows(EnsembleScorer scorer, Batches batches) {
    FeatureMatrix copy = new FeatureMatrix(batches.features(), batches.documents());
    Label label = label(scorer, 1, null, Row.FROM_ROWS);
    return new QuickScorerContender(scorer, label, batches, copy);
  }

  private static Label label(
      EnsembleScorer scorer, int threads, @Nullable String plan, String suffix) {
    Algorithm algorithm = scorer.algorithm();
    double trees = scorer.ensemble().trees().size();
    return new Label(
        algorithm.label() + suffix,
        width(algorithm),
        plan == null && threads == 1 ? plan(scorer) : plan,
        threads,
        scorer.bytes() / trees);
  }

  private static String plan(EnsembleScorer scorer) {
    return picks(scorer.algorithm()) ? scorer.engine() : Plans.own(scorer.ofColumns()).toString();
  }

  private static boolean picks(Algorithm algorithm) {
    return algorithm == Algorithm.AUTO || algorithm == Algorithm.CPU;
  }

  private static @Nullable Integer width(Algorithm algorithm) {
    if (picks(algorithm)) {
      return VectorSupport.widths().isEmpty() ? 0 : VectorSupport.widths().getLast();
    }
    boolean device = algorithm == Algorithm.GPU_QS || algorithm == Algorithm.GPU;
    return device ? null : algorithm.width();
  }

  @Override
  public Label label() {
    return label;
  }

  @Override
  public double[] score(int batch) {
    if (copy != null) {
      copy.setRows(batches.rows(batch));
    }
    scorer.score(copy == null ? batches.matrix(batch) : copy, scratch, scores);
    return scores;
  }
}
