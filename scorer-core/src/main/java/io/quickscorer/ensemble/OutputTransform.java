// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Converts a raw score to the result of the trainer's {@code predict}: applies a function to {@code
 * raw / divisor}.
 *
 * @param kind the function
 * @param parameter the slope of {@link Kind#SIGMOID}, otherwise 1
 * @param divisor the number of trees if the trainer averages them (LightGBM's {@code rf}),
 *     otherwise 1
 */
public record OutputTransform(Kind kind, double parameter, double divisor) {
  /**
   * The functions that trainers apply to raw scores. They are computed in double, unless their
   * comment says that they are computed in float.
   */
  public enum Kind {
    IDENTITY,
    /** The sigmoid function 1 / (1 + exp(-parameter * x)). */
    SIGMOID,
    /** XGBoost's sigmoid 1 / (1 + exp(-x)), in float; if -x is above 88.7, 88.7 replaces it. */
    SIGMOID_FLOAT,
    /** ONNX Runtime's sigmoid in float: y = 1 / (1 + exp(-|x|)) if x >= 0, otherwise 1 - y. */
    LOGISTIC_FLOAT,
    /** The exponential function exp(x). */
    EXP,
    /** The exponential function exp(x), computed for the float x and rounded to float. */
    EXP_FLOAT,
    /** The function log(1 + exp(x)). */
    LOG1P_EXP,
    /** The function x * |x|, a square with the sign of x, for LightGBM's {@code reg_sqrt}. */
    SIGNED_SQUARE,
    /** The step function for XGBoost's {@code binary:hinge}: 1 if x is above 0, otherwise 0. */
    STEP
  }

  public static final OutputTransform IDENTITY = new OutputTransform(Kind.IDENTITY, 1);

  public OutputTransform {
    if (!Double.isFinite(parameter) || parameter == 0) {
      throw new InvalidModelException(
          "output transform: found parameter "
              + parameter
              + ", expected a finite number other than 0");
    }
    if (!Double.isFinite(divisor) || divisor == 0) {
      throw new InvalidModelException(
          "output transform: found divisor " + divisor + ", expected a finite number other than 0");
    }
  }

  public OutputTransform(Kind kind, double parameter) {
    this(kind, parameter, 1);
  }

  /**
   * Returns a copy of this function for a trainer that averages trees: the raw score is divided by
   * the number of trees first.
   */
  public OutputTransform averaging(int trees) {
    return new OutputTransform(kind, parameter, trees);
  }

  public double apply(double raw) {
    double x = raw / divisor;
    return switch (kind) {
      case IDENTITY -> x;
      case SIGMOID -> 1 / (1 + Math.exp(-parameter * x));
      case SIGMOID_FLOAT -> {
        float exponent = Math.min((float) -x, 88.7f);
        yield 1f / ((float) Math.exp(exponent) + 1f);
      }
      case LOGISTIC_FLOAT -> {
        float half = 1f / (1f + (float) Math.exp(-Math.abs((float) x)));
        yield x < 0 ? 1f - half : half;
      }
      case EXP -> Math.exp(x);
      case EXP_FLOAT -> (float) Math.exp((float) x);
      case LOG1P_EXP -> Math.log1p(Math.exp(x));
      case SIGNED_SQUARE -> Math.copySign(x * x, x);
      case STEP -> x > 0 ? 1 : 0;
    };
  }
}
