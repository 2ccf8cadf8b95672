// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import java.util.Arrays;

/**
 * Gauss-Legendre points and weights on [0, 1]: {@code points} of them integrate every polynomial of
 * degree {@code 2 * points - 1} exactly.
 *
 * <p>The points are the roots of the Legendre polynomial, found by Newton's iteration from the
 * usual cosine guess; source: Press et al., "Numerical Recipes", 3rd edition, 2007, section 4.6.
 *
 * @param points ascending, within (0, 1)
 * @param weights of each point; they sum to 1
 * @param inverseRests 1 / (1 - point)
 */
record Quadrature(double[] points, double[] weights, double[] inverseRests) {
  private static final int MAX_STEPS = 20;

  /** Returns the smallest rule that is exact for polynomials up to this degree. */
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
