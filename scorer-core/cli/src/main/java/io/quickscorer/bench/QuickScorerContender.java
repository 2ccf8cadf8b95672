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
  private final FeatureMatrix[] matrices;
  private final float @Nullable [][] rows;
  private final double[] scores;

  private QuickScorerContender(
      EnsembleScorer scorer,
      Label label,
      FeatureMatrix[] matrices,
      float @Nullable [][] rows,
      int documents) {
    this.scorer = scorer;
    this.label = label;
    this.scratch = scorer.newScratch();
    this.matrices = matrices;
    this.rows = rows;
    this.scores = new double[documents];
  }

  /** Returns a contender whose scorer gets feature matrices, this library's own layout. */
  static QuickScorerContender fromMatrices(
      EnsembleScorer scorer, int threads, @Nullable String plan, Batches batches) {
    FeatureMatrix[] matrices = new FeatureMatrix[batches.count()];
    for (int b = 0; b < matrices.length; b++) {
      matrices[b] = batches.matrix(b);
    }
    Label label = label(scorer, threads, plan, "");
    return new QuickScorerContender(scorer, label, matrices, null, batches.documents());
  }

  /**
   * Returns a contender that gets row-major arrays (document after document). It copies each array
   * to a matrix, and scores the matrix.
   */
  static QuickScorerContender fromRows(
      EnsembleScorer scorer, int threads, @Nullable String plan, Batches batches) {
    float[][] rows = new float[batches.count()][];
    for (int b = 0; b < rows.length; b++) {
      rows[b] = batches.rows(b);
    }
    FeatureMatrix matrix = new FeatureMatrix(batches.features(), batches.documents());
    Label label = label(scorer, threads, plan, Row.FROM_ROWS);
    return new QuickScorerContender(
        scorer, label, new FeatureMatrix[] {matrix}, rows, batches.documents());
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
    FeatureMatrix matrix = matrices[0];
    if (rows == null) {
      matrix = matrices[batch];
    } else {
      matrix.setRows(rows[batch]);
    }
    scorer.score(matrix, scratch, scores);
    return scores;
  }
}
