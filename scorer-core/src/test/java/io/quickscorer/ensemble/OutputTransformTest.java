// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.OutputTransform.Kind;
import org.junit.jupiter.api.Test;

final class OutputTransformTest {
  private static double apply(Kind kind, double parameter, double raw) {
    return new OutputTransform(kind, parameter).apply(raw);
  }

  @Test
  void functions() {
    assertEquals(-1.25, OutputTransform.IDENTITY.apply(-1.25));
    assertEquals(0.5, apply(Kind.SIGMOID, 1, 0));
    assertEquals(1 / (1 + Math.exp(-3)), apply(Kind.SIGMOID, 2, 1.5));
    assertEquals(Math.E, apply(Kind.EXP, 1, 1));
    assertEquals((float) Math.E, apply(Kind.EXP_FLOAT, 1, 1));
    assertEquals(Math.log(2), apply(Kind.LOG1P_EXP, 1, 0), 1e-15);
    assertEquals(0, apply(Kind.STEP, 1, 0));
    assertEquals(1, apply(Kind.STEP, 1, Double.MIN_VALUE));
    assertEquals(9, apply(Kind.SIGNED_SQUARE, 1, 3));
    assertEquals(-9, apply(Kind.SIGNED_SQUARE, 1, -3));
  }

  @Test
  void averagesComeBeforeTheFunction() {
    assertEquals(2.5, OutputTransform.IDENTITY.averaging(4).apply(10));
    assertEquals(Math.E, new OutputTransform(Kind.EXP, 1).averaging(10).apply(10));
  }

  @Test
  void theSigmoidInFloatStaysInFloatAndIsClamped() {
    assertEquals(1f / ((float) Math.exp(-0.3f) + 1f), apply(Kind.SIGMOID_FLOAT, 1, 0.3f));
    assertEquals(
        apply(Kind.SIGMOID_FLOAT, 1, -88.7f), apply(Kind.SIGMOID_FLOAT, 1, -Float.MAX_VALUE));
    assertEquals(1, apply(Kind.SIGMOID_FLOAT, 1, 1000));
  }

  /** Both halves come from the exponential of a negative number, as ONNX Runtime computes them. */
  @Test
  void theLogisticFunctionInFloatIsSymmetric() {
    float half = 1f / (1f + (float) Math.exp(-1.5f));
    assertEquals(half, apply(Kind.LOGISTIC_FLOAT, 1, 1.5));
    assertEquals(1f - half, apply(Kind.LOGISTIC_FLOAT, 1, -1.5));
    assertEquals(0.5, apply(Kind.LOGISTIC_FLOAT, 1, 0));
    assertEquals(0, apply(Kind.LOGISTIC_FLOAT, 1, -Float.MAX_VALUE));
  }

  @Test
  void aDivisorOfNoUseIsRefused() {
    for (double divisor : new double[] {0, Double.NaN, Double.NEGATIVE_INFINITY}) {
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class, () -> new OutputTransform(Kind.EXP, 1, divisor));
      assertEquals(
          "output transform: found divisor " + divisor + ", expected a finite number other than 0",
          e.getMessage());
    }
  }

  @Test
  void aParameterOfNoUseIsRefused() {
    for (double parameter : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      InvalidModelException e =
          assertThrows(
              InvalidModelException.class, () -> new OutputTransform(Kind.SIGMOID, parameter));
      assertEquals(
          "output transform: found parameter "
              + parameter
              + ", expected a finite number other than 0",
          e.getMessage());
    }
  }
}
