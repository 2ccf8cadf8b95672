// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.kind;

/**
 * How alike two vectors are. Summed in double precision by four partial sums, in one order on every
 * machine: the widths of vector units must not show in a score.
 */
enum VectorSimilarity {
  /** The sum of products. */
  DOT {
    @Override
    public double of(float[] a, float[] b) {
      return dot(a, b);
    }
  },
  /** The cosine of the angle; NaN where a vector is zero. */
  COSINE {
    @Override
    public double of(float[] a, float[] b) {
      return dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)));
    }
  },
  /** Euclidean distance: the less, the more alike. */
  L2 {
    @Override
    public double of(float[] a, float[] b) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      int i = 0;
      for (; i + 3 < a.length; i += 4) {
        s0 += square((double) a[i] - b[i]);
        s1 += square((double) a[i + 1] - b[i + 1]);
        s2 += square((double) a[i + 2] - b[i + 2]);
        s3 += square((double) a[i + 3] - b[i + 3]);
      }
      for (; i < a.length; i++) {
        s0 += square((double) a[i] - b[i]);
      }
      return Math.sqrt(s0 + s1 + (s2 + s3));
    }
  };

  /** Of two vectors of one length. */
  public abstract double of(float[] a, float[] b);

  private static double square(double x) {
    return x * x;
  }

  private static double dot(float[] a, float[] b) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < a.length; i += 4) {
      s0 += (double) a[i] * b[i];
      s1 += (double) a[i + 1] * b[i + 1];
      s2 += (double) a[i + 2] * b[i + 2];
      s3 += (double) a[i + 3] * b[i + 3];
    }
    for (; i < a.length; i++) {
      s0 += (double) a[i] * b[i];
    }
    return s0 + s1 + (s2 + s3);
  }
}
