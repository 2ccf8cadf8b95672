// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.reader.input.Numbers;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * LightGBM's objectives, as its files spell them, and for each objective the function that
 * transforms raw scores to predictions.
 */
final class LightGbmObjective {
  /** The names of multi-class objectives that apply a sigmoid to each class. */
  private static final Set<String> MULTI_CLASS =
      Set.of("multiclassova", "multiclass_ova", "ova", "ovr");

  private LightGbmObjective() {}

  /**
   * Returns the function with which an objective transforms raw scores to predictions.
   *
   * @param objective the name and the parameters, for example {@code binary sigmoid:1}; empty for a
   *     custom objective
   * @param offset the byte offset of the objective, for messages
   */
  static OutputTransform transform(String objective, long offset) {
    String[] words = objective.split(" ", -1);
    return switch (words[0]) {
      case "binary" -> new OutputTransform(Kind.SIGMOID, sigmoid(words, offset));
      case "cross_entropy", "xentropy" -> new OutputTransform(Kind.SIGMOID, 1);
      case "cross_entropy_lambda", "xentlambda" -> new OutputTransform(Kind.LOG1P_EXP, 1);
      case "poisson", "gamma", "tweedie" -> new OutputTransform(Kind.EXP, 1);
      case "regression", "regression_l2", "regression_l1", "quantile", "mape", "fair", "huber" ->
          hasWord(words, "sqrt")
              ? new OutputTransform(Kind.SIGNED_SQUARE, 1)
              : OutputTransform.IDENTITY;
      case "", "none", "custom", "lambdarank", "rank_xendcg" -> OutputTransform.IDENTITY;
      case "multiclassova", "multiclass_ova", "ova", "ovr" ->
          new OutputTransform(Kind.SIGMOID, sigmoid(words, offset));
      case "multiclass", "softmax" -> OutputTransform.IDENTITY;
      default ->
          throw InvalidModelException.at(offset, "objective: LightGBM has no such objective");
    };
  }

  /** Returns whether the prediction for one class depends on the raw scores of all classes. */
  static boolean isJoint(String objective) {
    String name = objective.split(" ", -1)[0];
    return name.equals("multiclass") || name.equals("softmax");
  }

  static boolean isMultiClass(String objective) {
    return isJoint(objective) || MULTI_CLASS.contains(objective.split(" ", -1)[0]);
  }

  private static double sigmoid(String[] words, long offset) {
    String prefix = "sigmoid:";
    for (String word : words) {
      if (word.startsWith(prefix)) {
        byte[] digits = word.substring(prefix.length()).getBytes(StandardCharsets.ISO_8859_1);
        double slope;
        try {
          slope = Numbers.parseDouble(digits, 0, digits.length);
        } catch (InvalidModelException e) {
          throw InvalidModelException.at(offset, "objective: sigmoid is not a number");
        }
        if (!(slope > 0) || Double.isInfinite(slope)) {
          throw InvalidModelException.at(
              offset, "objective: sigmoid " + slope + ", expected a finite number above 0");
        }
        return slope;
      }
    }
    return 1;
  }

  private static boolean hasWord(String[] words, String wanted) {
    for (String word : words) {
      if (word.equals(wanted)) {
        return true;
      }
    }
    return false;
  }
}
