// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;

/**
 * XGBoost's objectives: each one's function from raw score to prediction, and from the file's base
 * score, which is in units of the prediction, to the raw score at the start.
 */
enum XGBoostObjective {
  /** The prediction is the raw score. */
  IDENTITY(OutputTransform.IDENTITY),
  /** The prediction is a probability. */
  LOGISTIC(new OutputTransform(Kind.SIGMOID_FLOAT, 1)),
  /** The prediction is the exponential. */
  LOG(new OutputTransform(Kind.EXP_FLOAT, 1)),
  /** The prediction is a class, 0 or 1. */
  HINGE(new OutputTransform(Kind.STEP, 1)),
  /** The prediction is a function of the raw scores of all classes. */
  MULTICLASS(OutputTransform.IDENTITY);

  /** Minimum distance of the base score of a logistic objective from 0 and 1, if it is clamped. */
  private static final float MARGIN = 1e-6f;

  private final OutputTransform transform;

  XGBoostObjective(OutputTransform transform) {
    this.transform = transform;
  }

  /**
   * Returns the objective of a name.
   *
   * @param offset of the name in the file
   */
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
      default -> throw InvalidModelException.at(offset, "objective: unknown to XGBoost");
    };
  }

  OutputTransform transform() {
    return transform;
  }

  /**
   * Returns the raw score at which the sum over the trees starts, in float as XGBoost computes it.
   *
   * @param baseScore in units of the prediction
   * @param clamps whether the version that wrote the file clamps probabilities; other versions
   *     refuse 0 and 1, which are clamped here as later versions do with such files
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
          offset, "base_score: " + baseScore + " has no finite raw score under the objective");
    }
    return margin;
  }

  /**
   * Returns whether a version of XGBoost clamps the base score of logistic objectives: from 3.2 on.
   */
  static boolean clamps(int major, int minor) {
    return major > 3 || (major == 3 && minor >= 2);
  }
}
