package io.quickscorer.bench;

import com.microsoft.ml.lightgbm.PredictionType;
import io.github.metarank.lightgbm4j.LGBMBooster;
import io.github.metarank.lightgbm4j.LGBMException;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.traversal.ReferenceScorer;

/** One scorer with one batch, ready to be timed; scores the batch whenever asked. */
public interface Contender {
  String name();

  /** Scores the whole batch, from the scorer's natural layout of features to one raw score each. */
  double[] score();

  /** Bytes of the compiled model, 0 if unknown. */
  default long bytes() {
    return 0;
  }

  /**
   * One of our scorers, from a feature matrix.
   *
   * @throws IllegalStateException if it does not return the reference's bits
   */
  static Contender ours(Algorithm algorithm, TrainedModel model, float[] rows) {
    FeatureMatrix matrix = FeatureMatrix.ofRows(rows, TrainedModel.FEATURES);
    EnsembleScorer scorer = ScorerCompiler.compile(model.ensemble(), algorithm);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[matrix.documents()];
    Contender contender =
        new Contender() {
          @Override
          public String name() {
            return algorithm.label();
          }

          @Override
          public double[] score() {
            scorer.score(matrix, scratch, scores);
            return scores;
          }

          @Override
          public long bytes() {
            return scorer.bytes();
          }
        };
    check(contender, model, rows);
    return contender;
  }

  /** LightGBM's own predictor on one thread, from row-major floats. */
  static Contender lightGbm(TrainedModel model, float[] rows) {
    LGBMBooster booster;
    try {
      booster = LGBMBooster.loadModelFromString(model.text());
    } catch (LGBMException e) {
      throw new IllegalStateException(e);
    }
    int documents = rows.length / TrainedModel.FEATURES;
    Contender contender =
        new Contender() {
          @Override
          public String name() {
            return "lightgbm";
          }

          @Override
          public double[] score() {
            try {
              return booster.predictForMat(
                  rows,
                  documents,
                  TrainedModel.FEATURES,
                  true,
                  PredictionType.C_API_PREDICT_RAW_SCORE,
                  "num_threads=1");
            } catch (LGBMException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    check(contender, model, rows);
    return contender;
  }

  private static void check(Contender contender, TrainedModel model, float[] rows) {
    FeatureMatrix matrix = FeatureMatrix.ofRows(rows, TrainedModel.FEATURES);
    ReferenceScorer reference = ReferenceScorer.compile(model.ensemble());
    double[] expected = new double[matrix.documents()];
    reference.score(matrix, reference.newScratch(), expected);
    double[] scores = contender.score();
    for (int d = 0; d < expected.length; d++) {
      if (Double.doubleToRawLongBits(expected[d]) != Double.doubleToRawLongBits(scores[d])) {
        throw new IllegalStateException(
            contender.name() + ": document " + d + " scored " + scores[d] + ", not " + expected[d]);
      }
    }
  }
}
