// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;

/**
 * XGBoost's objectives. Each has a function that computes the prediction from a raw score. Another
 * function converts the base score in the file, which is in units of the prediction, to the raw
 * score with which sums start.
 */
enum XGBoostObjective {
  /** The prediction is equal to the raw score. */
  IDENTITY(OutputTransform.IDENTITY),
  /** The prediction is a probability, the sigmoid of the raw score. */
  LOGISTIC(new OutputTransform(Kind.SIGMOID_FLOAT, 1)),
  /** The prediction is the exponential of the raw score. */
  LOG(new OutputTransform(Kind.EXP_FLOAT, 1)),
  /** The prediction is a class: 1 if the raw score is above 0, otherwise 0. */
  HINGE(new OutputTransform(Kind.STEP, 1)),
  /** The prediction depends on the raw scores of all classes. */
  MULTICLASS(OutputTransform.IDENTITY);

  /**
   * Minimum distance of logistic base scores from 0 and 1; a base score that is closer is moved.
   */
  private static final float MARGIN = 1e-6f;

  private final OutputTransform transform;

  XGBoostObjective(OutputTransform transform) {
    this.transform = transform;
  }

  /** Returns the objective that a name in the file denotes. */
  static XGBoostObjective of(String name, long offset) {
    return switch (name) {
      case "reg:squarederror",
          "reg:linear",
          "reg:squaredlogerror",
          "reg:pseudohubererror",
          "reg:absoluteerror",
          "reg:quantileerror",
          "reg:expectileerror",
          "binary:logitraw",
          "rank:ndcg",
          "rank:map",
          "rank:pairwise" ->
          IDENTITY;
      case "binary:logistic", "reg:logistic" -> LOGISTIC;
      case "count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft" -> LOG;
      case "binary:hinge" -> HINGE;
      case "multi:softmax", "multi:softprob" -> MULTICLASS;
      default -> throw InvalidModelException.at(offset, "objective: XGBoost has no such objective");
    };
  }

  OutputTransform transform() {
    return transform;
  }

  /**
   * Returns the raw score with which the sum of the trees starts, computed in float as in XGBoost.
   *
   * @param baseScore the base score in units of the prediction
   * @param clamps whether probabilities close to 0 or 1 are moved (see {@link #MARGIN}), as XGBoost
   *     3.2 and later do. The probabilities 0 and 1 themselves are always moved, because earlier
   *     versions fail for them
   */
  float baseMargin(float baseScore, boolean clamps, long offset) {
    float margin =
        switch (this) {
          case IDENTITY, HINGE, MULTICLASS -> baseScore;
          case LOGISTIC -> {
            if (!(baseScore >= 0 && baseScore <= 1)) {
              throw InvalidModelException.at(
                  offset, "base_score: " + baseScore + ", expected a probability");
            }
            boolean inside = baseScore > 0 && baseScore < 1 && !clamps;
            float share = inside ? baseScore : Math.min(Math.max(baseScore, MARGIN), 1f - MARGIN);
            yield -CLibraryLog.log(1f / share - 1f);
          }
          case LOG -> CLibraryLog.log(baseScore);
        };
    if (!Float.isFinite(margin)) {
      throw InvalidModelException.at(
          offset, "base_score: " + baseScore + " has no finite raw score for this objective");
    }
    return margin;
  }

  /**
   * Returns whether a version of XGBoost keeps the base score of logistic objectives away from 0
   * and 1 (see {@link #MARGIN}); 3.2 and later versions do.
   */
  static boolean clamps(int major, int minor) {
    return major > 3 || (major == 3 && minor >= 2);
  }
}
