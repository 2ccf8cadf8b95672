// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.matrix;

/**
 * Feature values of a batch of documents, feature-major: all documents' values of feature 0, then
 * of feature 1, and so on.
 *
 * <p>Value of feature f and document d: {@code values()[f * stride() + d]}. The stride is the
 * number of documents rounded up to {@link #BLOCK}, so that kernels read whole vectors; the values
 * in the padding are finite or NaN and have no meaning. NaN is a missing value.
 *
 * <p>Mutable and reusable for batches up to its capacity; one thread at a time.
 */
public final class FeatureMatrix {
  /** Documents to which a column is padded: one 64-bit word of document bits. */
  public static final int BLOCK = 64;

  /** Documents copied together from rows. */
  private static final int ROWS = 16;

  private final int features;
  private final float[] values;
  private int documents;
  private int stride;

  /**
   * @param features columns, 0 or more
   * @param capacity maximum number of documents, 0 or more
   * @throws IllegalArgumentException if their product exceeds the size of an array
   */
  public FeatureMatrix(int features, int capacity) {
    long length = cells(features, capacity);
    if (features < 0 || capacity < 0 || length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "feature matrix of " + features + " features x " + capacity + " documents");
    }
    this.features = features;
    this.values = new float[(int) length];
    reset(capacity);
  }

  /** Returns the floats that a matrix of this size holds. */
  public static long cells(int features, int capacity) {
    return (long) features * roundUp(capacity);
  }

  private static long roundUp(int documents) {
    return (documents + (BLOCK - 1L)) / BLOCK * BLOCK;
  }

  /**
   * Prepares the matrix for another batch. The values of the previous batch remain and must be
   * overwritten.
   */
  public void reset(int documents) {
    long newStride = roundUp(documents);
    if (documents < 0 || features * newStride > values.length) {
      throw new IllegalArgumentException(documents + " documents exceed the matrix's capacity");
    }
    this.documents = documents;
    this.stride = (int) newStride;
  }

  /** Returns a matrix of row-major values: {@code rows[d * features + f]}. */
  public static FeatureMatrix ofRows(float[] rows, int features) {
    FeatureMatrix matrix = new FeatureMatrix(features, features == 0 ? 0 : rows.length / features);
    matrix.setRows(rows);
    return matrix;
  }

  /**
   * Copies the values of all documents.
   *
   * @param rows row-major, {@code rows[d * features() + f]}
   * @throws IllegalArgumentException if that is not the matrix's number of values
   */
  public void setRows(float[] rows) {
    if (rows.length != documents * features) {
      throw new IllegalArgumentException(
          rows.length + " values for " + documents + " documents of " + features + " features");
    }
    // A block of rows stays in the first-level cache while each of its columns is written.
    for (int from = 0; from < documents; from += ROWS) {
      int to = Math.min(documents, from + ROWS);
      for (int f = 0; f < features; f++) {
        int column = column(f);
        for (int d = from; d < to; d++) {
          values[column + d] = rows[d * features + f];
        }
      }
    }
  }

  /**
   * Replaces the documents by some of another matrix.
   *
   * @param first the other's document that becomes document 0
   * @param count how many
   * @throws IllegalArgumentException if it has another number of features, or the documents exceed
   *     the capacity
   */
  public void setFrom(FeatureMatrix other, int first, int count) {
    if (other.features != features) {
      throw new IllegalArgumentException(
          "documents of " + other.features + " features for a matrix of " + features);
    }
    reset(count);
    for (int f = 0; f < features; f++) {
      System.arraycopy(other.values, other.column(f) + first, values, column(f), count);
    }
  }

  public int documents() {
    return documents;
  }

  public int features() {
    return features;
  }

  /** Returns the floats from one column's start to the next; a multiple of {@link #BLOCK}. */
  public int stride() {
    return stride;
  }

  /** Returns the index of a column's first value in {@link #values()}. */
  public int column(int feature) {
    return feature * stride;
  }

  /** Returns the values themselves, not a copy. */
  public float[] values() {
    return values;
  }

  public float get(int document, int feature) {
    return values[feature * stride + document];
  }

  public void set(int document, int feature, float value) {
    values[feature * stride + document] = value;
  }
}
