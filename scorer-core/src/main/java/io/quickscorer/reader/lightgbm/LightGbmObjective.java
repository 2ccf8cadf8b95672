// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.reader.input.Numbers;
import java.util.Arrays;
import java.util.Set;

/** LightGBM's objectives: a name and parameters, for example {@code binary sigmoid:1}. */
final class LightGbmObjective {
  /** The names of multi-class objectives in which each class has its own sigmoid. */
  private static final Set<String> ONE_VERSUS_ALL =
      Set.of("multiclassova", "multiclass_ova", "ova", "ovr");

  private LightGbmObjective() {}

  /** Returns the name without the parameters; empty for a custom objective. */
  static String name(String objective) {
    return objective.split(" ", -1)[0];
  }

  /** Returns the function with which an objective transforms raw scores to predictions. */
  static OutputTransform transform(String objective, long offset) {
    return switch (name(objective)) {
      case "binary", "multiclassova", "multiclass_ova", "ova", "ovr" ->
          new OutputTransform(Kind.SIGMOID, sigmoid(objective, offset));
      case "cross_entropy", "xentropy" -> new OutputTransform(Kind.SIGMOID, 1);
      case "cross_entropy_lambda", "xentlambda" -> new OutputTransform(Kind.LOG1P_EXP, 1);
      case "poisson", "gamma", "tweedie" -> new OutputTransform(Kind.EXP, 1);
      case "regression", "regression_l2", "regression_l1", "quantile", "mape", "fair", "huber" ->
          Arrays.asList(objective.split(" ", -1)).contains("sqrt")
              ? new OutputTransform(Kind.SIGNED_SQUARE, 1)
              : OutputTransform.IDENTITY;
      case "", "none", "custom", "lambdarank", "rank_xendcg", "multiclass", "softmax" ->
          OutputTransform.IDENTITY;
      default ->
          throw InvalidModelException.at(offset, "objective: LightGBM has no such objective");
    };
  }

  /** Returns whether the prediction for one class depends on the raw scores of all classes. */
  static boolean isJoint(String objective) {
    String name = name(objective);
    return name.equals("multiclass") || name.equals("softmax");
  }

  static boolean isMultiClass(String objective) {
    return isJoint(objective) || ONE_VERSUS_ALL.contains(name(objective));
  }

  private static double sigmoid(String objective, long offset) {
    String prefix = "sigmoid:";
    for (String word : objective.split(" ", -1)) {
      if (word.startsWith(prefix)) {
        double slope;
        try {
          slope = Numbers.doubleOf(word.substring(prefix.length()), offset);
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
}
