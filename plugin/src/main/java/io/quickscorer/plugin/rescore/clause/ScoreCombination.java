// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.wire.WireRecord;

/**
 * Combines two scores of a hit, each multiplied by a weight: the score of the search's own query
 * (the first pass) and the model's score.
 *
 * @param mode the operation on the two weighted scores
 * @param firstPassWeight factor of the first-pass score; ignored by {@link Mode#REPLACE}
 * @param modelWeight factor of the model's score
 */
public record ScoreCombination(Mode mode, float firstPassWeight, float modelWeight)
    implements WireRecord {
  public enum Mode {
    REPLACE,
    TOTAL,
    MULTIPLY,
    AVG,
    MAX,
    MIN
  }

  /**
   * The score of all hits of a shard that ran out of time. It is higher than all other scores, so
   * it becomes the highest score of the whole response. By this score, the coordinating node
   * detects the timeout. The node then searches again without a model.
   */
  public static final float TIME_IS_UP = Float.MAX_VALUE;

  /** The highest score that a ranked hit can have. */
  static final float HIGHEST_RESCORED = Math.nextDown(TIME_IS_UP);

  public static final ScoreCombination REPLACE = new ScoreCombination(Mode.REPLACE, 1, 1);

  public ScoreCombination {
    if (!Float.isFinite(firstPassWeight) || !Float.isFinite(modelWeight)) {
      throw new IllegalArgumentException("[first_pass_weight] and [model_weight] must be finite");
    }
  }

  /** Returns a description for explanations: the mode, and each weight that is not 1. */
  @Override
  public String toString() {
    return "score_mode ["
        + EnumNames.of(mode)
        + "] of model score"
        + times(modelWeight)
        + " and first-pass score"
        + times(firstPassWeight);
  }

  private static String times(float weight) {
    return weight == 1 ? "" : " times " + weight;
  }

  /**
   * Returns the combined score of a hit, limited to the range from {@link
   * OutsideWindow#LOWEST_RESCORED} to {@link #HIGHEST_RESCORED}. NaN, the result of an overflow,
   * becomes the lower limit.
   */
  public float combine(float firstPassScore, double modelScore) {
    return bounded(value(firstPassScore, modelScore));
  }

  /**
   * Returns the combined score of each hit, limited to the range of {@link #bounded}.
   *
   * @param firstPassScores the hits' scores by the search's own query
   * @param modelScores the hits' scores by the model
   */
  public float[] combine(float[] firstPassScores, double[] modelScores) {
    float[] combined = new float[modelScores.length];
    for (int i = 0; i < combined.length; i++) {
      combined[i] = combine(firstPassScores[i], modelScores[i]);
    }
    return combined;
  }

  /** Returns the combined score of a hit, not limited to a range. */
  public double value(float firstPassScore, double modelScore) {
    double first = (double) firstPassWeight * firstPassScore;
    double model = modelWeight * modelScore;
    return switch (mode) {
      case REPLACE -> model;
      case TOTAL -> first + model;
      case MULTIPLY -> first * model;
      case AVG -> (first + model) / 2;
      case MAX -> Math.max(first, model);
      case MIN -> Math.min(first, model);
    };
  }

  /**
   * Limits a score to the range from {@link OutsideWindow#LOWEST_RESCORED} to {@link
   * #HIGHEST_RESCORED}. -0 becomes 0, because both are equal, but would be sorted differently.
   */
  public static float bounded(double score) {
    if (!(score > OutsideWindow.LOWEST_RESCORED)) {
      return OutsideWindow.LOWEST_RESCORED;
    }
    return (float) Math.min(score, HIGHEST_RESCORED) + 0f;
  }
}
