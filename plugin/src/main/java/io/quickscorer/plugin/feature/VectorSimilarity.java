// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

/**
 * A measure of the similarity of two vectors, in double precision. Elements are added in the same
 * order on every machine, so results do not depend on the processor.
 */
enum VectorSimilarity {
  DOT,
  /** The cosine of the angle between the vectors; NaN if all elements of a vector are 0. */
  COSINE,
  /** The Euclidean distance; smaller means more similar. */
  L2,
  /**
   * The square of the Euclidean distance, which the k-NN plugin calls {@code l2}; see {@link #L2}.
   */
  L2_SQUARED,
  /** The sum of the absolute differences of the elements; smaller means more similar. */
  L1,
  /** The maximum of the absolute differences of the elements; smaller means more similar. */
  LINF,
  /** The number of bits that differ; each element is eight bits. Smaller means more similar. */
  HAMMING;

  /** Returns the similarity of two vectors of equal length. */
  public double of(float[] a, float[] b) {
    return switch (this) {
      case DOT -> dot(a, b);
      case COSINE -> dot(a, b) / (Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b)));
      case L2 -> Math.sqrt(squares(a, b));
      case L2_SQUARED -> squares(a, b);
      case L1 -> sumOfDifferences(a, b);
      case LINF -> maxDifference(a, b);
      case HAMMING -> differentBits(a, b);
    };
  }

  private static double sumOfDifferences(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += Math.abs((double) a[i] - b[i]);
    }
    return sum;
  }

  private static double maxDifference(float[] a, float[] b) {
    double max = 0;
    for (int i = 0; i < a.length; i++) {
      max = Math.max(max, Math.abs((double) a[i] - b[i]));
    }
    return max;
  }

  private static int differentBits(float[] a, float[] b) {
    int bits = 0;
    for (int i = 0; i < a.length; i++) {
      bits += Integer.bitCount(((byte) a[i] ^ (byte) b[i]) & 0xff);
    }
    return bits;
  }

  /**
   * Checks that this similarity is defined for a field's vectors.
   *
   * @throws IllegalArgumentException if it is not defined for the type of their elements
   */
  void check(StoredVectors vectors) {
    boolean bits = vectors.element() == StoredVectors.Element.BINARY;
    if (bits != (this == HAMMING)) {
      throw new IllegalArgumentException(
          "field ["
              + vectors.field()
              + "] has data_type ["
              + EnumNames.of(vectors.element())
              + "], but similarity ["
              + EnumNames.of(this)
              + "] needs "
              + (bits ? "float or byte" : "binary"));
    }
  }

  private static double square(double x) {
    return x * x;
  }

  private static double squares(float[] a, float[] b) {
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
    return s0 + s1 + (s2 + s3);
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
