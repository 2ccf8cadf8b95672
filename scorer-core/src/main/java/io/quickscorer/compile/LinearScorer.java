// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.Objects;

/**
 * Scores linear models: adds one term to the sums of all documents, then the next term, so each
 * column is read once. Sums are bit-identical to those of the reference engine.
 */
record LinearScorer(TreeEnsemble ensemble, LinearTerms terms) implements EnsembleScorer {
  private static final Scratch NO_SCRATCH = () -> 0;

  public static LinearScorer compile(TreeEnsemble ensemble) {
    return new LinearScorer(ensemble, Objects.requireNonNull(ensemble.linear()));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.LINEAR;
  }

  @Override
  public long bytes() {
    return (long) terms.size() * (Integer.BYTES + Double.BYTES + 2 * Float.BYTES);
  }

  @Override
  public Scratch newScratch() {
    return NO_SCRATCH;
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Arrays.fill(scores, 0, matrix.documents(), ensemble.initialScore());
    for (int term = 0; term < terms.size(); term++) {
      checkpoint.pass();
      if (terms.isNormalised(term)) {
        addNormalised(term, matrix, scores);
      } else if (ensemble.accumulator() == Accumulator.FLOAT) {
        addInFloat(term, matrix, scores);
      } else {
        addInDouble(term, matrix, scores);
      }
    }
    for (int document = 0; document < matrix.documents(); document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }

  private void addNormalised(int term, FeatureMatrix matrix, double[] scores) {
    final Accumulator accumulator = ensemble.accumulator();
    final float[] values = matrix.values();
    final int column = matrix.column(terms.feature(term));
    for (int document = 0; document < matrix.documents(); document++) {
      scores[document] = terms.add(accumulator, scores[document], term, values[column + document]);
    }
  }

  private void addInFloat(int term, FeatureMatrix matrix, double[] scores) {
    final float weight = (float) terms.weight(term);
    final float[] values = matrix.values();
    final int column = matrix.column(terms.feature(term));
    for (int document = 0; document < matrix.documents(); document++) {
      final float value = values[column + document];
      scores[document] =
          Float.isNaN(value) ? scores[document] : (float) scores[document] + weight * value;
    }
  }

  private void addInDouble(int term, FeatureMatrix matrix, double[] scores) {
    final double weight = terms.weight(term);
    final float[] values = matrix.values();
    final int column = matrix.column(terms.feature(term));
    for (int document = 0; document < matrix.documents(); document++) {
      final float value = values[column + document];
      scores[document] = Float.isNaN(value) ? scores[document] : scores[document] + weight * value;
    }
  }
}
