// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.Arrays;

/**
 * Batches of equal size, with the scores of the reference engine. Timed calls score one batch after
 * the other, because the CPU's branch predictor would learn a single small batch.
 *
 * <p>The arrays are not copies.
 *
 * @param documents number of documents in each batch
 * @param rows the feature values of each batch, document after document
 * @param matrices the feature values of each batch as a matrix
 * @param expected the reference engine's scores of each batch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Batches(
    TreeEnsemble ensemble,
    int documents,
    float[][] rows,
    FeatureMatrix[] matrices,
    double[][] expected) {

  /** Approximate number of documents in all batches together. */
  private static final int DOCUMENTS = 4096;

  /** Maximum number of batches, to limit memory. */
  private static final int MAX_BATCHES = 256;

  /**
   * Divides documents into batches, and scores the batches with the reference engine.
   *
   * @param pool feature values, document after document, of at least one document; repeated if
   *     there are too few documents
   * @param documents number of documents per batch
   */
  public static Batches of(TreeEnsemble ensemble, float[] pool, int documents) {
    int features = ensemble.featureNames().size();
    int batches = Math.clamp(DOCUMENTS / documents, 1, MAX_BATCHES);
    int available = features == 0 ? 1 : pool.length / features;
    if (documents < 1 || available < 1) {
      throw new IllegalArgumentException(
          "found "
              + documents
              + " documents per batch and "
              + available
              + " documents in the pool, expected at least 1 of each");
    }
    float[][] rows = new float[batches][documents * features];
    FeatureMatrix[] matrices = new FeatureMatrix[batches];
    double[][] expected = new double[batches][documents];
    EnsembleScorer reference = ScorerCompiler.compile(ensemble, Algorithm.OBJECT);
    for (int b = 0; b < batches; b++) {
      for (int d = 0; d < documents; d++) {
        int source = (int) (((long) b * documents + d) % available);
        System.arraycopy(pool, source * features, rows[b], d * features, features);
      }
      matrices[b] = FeatureMatrix.ofRows(rows[b], features);
      reference.score(matrices[b], reference.newScratch(), expected[b]);
    }
    return new Batches(ensemble, documents, rows, matrices, expected);
  }

  /** Returns the number of batches, which is at least 1. */
  public int count() {
    return rows.length;
  }

  /** Returns the number of feature values of each document. */
  public int features() {
    return ensemble.featureNames().size();
  }

  /** Returns the feature values of a batch, document after document. Not a copy. */
  public float[] rows(int batch) {
    return rows[batch];
  }

  /** Returns the feature values of a batch as a matrix. Not a copy. */
  public FeatureMatrix matrix(int batch) {
    return matrices[batch];
  }

  /** Returns whether at least one feature value in the batches is missing. */
  public boolean anyMissing() {
    for (float[] batch : rows) {
      for (float value : batch) {
        if (Float.isNaN(value)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Scores every batch with a contender (a scorer to be timed). Returns a description of the first
   * score that differs from the reference engine's by more than the contender's tolerance; empty if
   * there is none.
   */
  String firstDifference(Contender contender) {
    for (int b = 0; b < rows.length; b++) {
      double[] scores = Arrays.copyOf(contender.score(b), documents);
      for (int d = 0; d < documents; d++) {
        boolean sameBits =
            Double.doubleToRawLongBits(scores[d]) == Double.doubleToRawLongBits(expected[b][d]);
        if (!sameBits && !(Math.abs(scores[d] - expected[b][d]) <= contender.tolerance())) {
          return "document " + d + " scored " + scores[d] + ", expected " + expected[b][d];
        }
      }
    }
    return "";
  }
}
