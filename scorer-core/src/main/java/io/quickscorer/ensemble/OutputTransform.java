package io.quickscorer.ensemble;

/**
 * What turns a raw score into the value the trainer's {@code predict} returns.
 *
 * @param kind the function
 * @param parameter its one parameter where it has one, else 1: the slope of {@link Kind#SIGMOID},
 *     the divisor of {@link Kind#AVERAGE}
 */
public record OutputTransform(Kind kind, double parameter) {
  /** The functions trainers use; each in double unless it says float. */
  public enum Kind {
    IDENTITY,
    /** 1 / (1 + exp(-parameter x)). */
    SIGMOID,
    /** XGBoost's sigmoid: in float, the exponent clamped at 88.7. */
    SIGMOID_FLOAT,
    /** exp(x). */
    EXP,
    /** exp(x), rounded to float. */
    EXP_FLOAT,
    /** log(1 + exp(x)). */
    LOG1P_EXP,
    /** x / parameter. */
    AVERAGE,
    /** sign(x) x²: LightGBM's {@code reg_sqrt}. */
    SIGNED_SQUARE
  }

  public static final OutputTransform IDENTITY = new OutputTransform(Kind.IDENTITY, 1);

  public OutputTransform {
    if (!Double.isFinite(parameter) || parameter == 0) {
      throw new InvalidModelException("output transform: parameter " + parameter);
    }
  }

  public double apply(double raw) {
    return switch (kind) {
      case IDENTITY -> raw;
      case SIGMOID -> 1 / (1 + Math.exp(-parameter * raw));
      case SIGMOID_FLOAT -> {
        float exponent = Math.min((float) -raw, 88.7f);
        yield 1f / ((float) Math.exp(exponent) + 1f);
      }
      case EXP -> Math.exp(raw);
      case EXP_FLOAT -> (float) Math.exp((float) raw);
      case LOG1P_EXP -> Math.log1p(Math.exp(raw));
      case AVERAGE -> raw / parameter;
      case SIGNED_SQUARE -> Math.copySign(raw * raw, raw);
    };
  }
}
