// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import java.util.Arrays;

/**
 * A Gauss-Legendre rule for integrals on [0, 1]: with n points, it integrates every polynomial of
 * degree up to 2n - 1 exactly. The points are the roots of the Legendre polynomial, which Newton's
 * method finds. Source: Press et al., "Numerical Recipes", 3rd edition, 2007, section 4.6.
 *
 * @param points the points, ascending, within (0, 1)
 * @param weights the weight of each point; the sum is 1
 * @param inverseRests 1 / (1 - point) for each point
 */
record Quadrature(double[] points, double[] weights, double[] inverseRests) {
  private static final int MAX_STEPS = 20;

  /**
   * Returns the rule that is exact for all polynomials of at most this degree, with as few points
   * as possible.
   */
  static Quadrature ofDegree(int degree) {
    int count = degree / 2 + 1;
    double[] points = new double[count];
    double[] weights = new double[count];
    for (int i = 0; i < (count + 1) / 2; i++) {
      double root = Math.cos(Math.PI * (i + 0.75) / (count + 0.5));
      double slope = 1;
      boolean moving = true;
      for (int step = 0; moving && step < MAX_STEPS; step++) {
        double value = root;
        double before = 1;
        for (int n = 2; n <= count; n++) {
          double next = ((2 * n - 1) * root * value - (n - 1) * before) / n;
          before = value;
          value = next;
        }
        slope = count * (root * value - before) / (root * root - 1);
        double change = value / slope;
        root -= change;
        moving = Math.abs(change) > 1e-15;
      }
      double weight = 1 / ((1 - root * root) * slope * slope);
      points[i] = (1 - root) / 2;
      points[count - 1 - i] = (1 + root) / 2;
      weights[i] = weight;
      weights[count - 1 - i] = weight;
    }
    double[] inverseRests = Arrays.stream(points).map(point -> 1 / (1 - point)).toArray();
    return new Quadrature(points, weights, inverseRests);
  }
}
