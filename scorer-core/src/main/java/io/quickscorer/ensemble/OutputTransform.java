// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The function from a raw score to the value that the trainer's {@code predict} returns: the kind's
 * function of {@code raw / divisor}.
 *
 * @param kind the function
 * @param parameter the slope of {@link Kind#SIGMOID}, else 1
 * @param divisor the number of trees if the trainer averages them (LightGBM's {@code rf}), else 1
 */
public record OutputTransform(Kind kind, double parameter, double divisor) {
  /** The functions that trainers use, computed in double unless noted. */
  public enum Kind {
    IDENTITY,
    /** 1 / (1 + exp(-parameter x)). */
    SIGMOID,
    /** XGBoost's sigmoid: in float, the exponent clamped at 88.7. */
    SIGMOID_FLOAT,
    /** 1 / (1 + exp(-|x|)), for x below 0 one minus that: ONNX Runtime's, in float. */
    LOGISTIC_FLOAT,
    /** exp(x). */
    EXP,
    /** exp(x), rounded to float. */
    EXP_FLOAT,
    /** log(1 + exp(x)). */
    LOG1P_EXP,
    /** sign(x) x²: LightGBM's {@code reg_sqrt}. */
    SIGNED_SQUARE,
    /** 1 where x > 0, else 0: XGBoost's {@code binary:hinge}. */
    STEP
  }

  public static final OutputTransform IDENTITY = new OutputTransform(Kind.IDENTITY, 1);

  public OutputTransform {
    if (!Double.isFinite(parameter) || parameter == 0) {
      throw new InvalidModelException("output transform: parameter " + parameter);
    }
    if (!Double.isFinite(divisor) || divisor == 0) {
      throw new InvalidModelException("output transform: divisor " + divisor);
    }
  }

  public OutputTransform(Kind kind, double parameter) {
    this(kind, parameter, 1);
  }

  /** Returns this function applied to the raw score divided by a number of trees. */
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
