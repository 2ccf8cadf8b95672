// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.matrix;

import java.util.Objects;

/**
 * Feature values of a batch of documents, stored by feature: the values of all documents for
 * feature 0, then for feature 1, and so on.
 *
 * <p>The value of feature f and document d is {@code values()[f * stride() + d]}. The stride is the
 * number of documents, rounded up to a multiple of {@link #BLOCK} from {@code BLOCK} documents on;
 * the values of a small batch are close together, so that few cache lines are read. Vector code can
 * read {@link #readable()} values from the start of each column; those after the last document have
 * no meaning. NaN means a missing value.
 *
 * <p>Mutable and reusable for batches up to its capacity; only one thread at a time may use a
 * matrix.
 */
public final class FeatureMatrix {
  /**
   * The number of documents that vector code reads together, which is the number of bits of a long.
   */
  public static final int BLOCK = 64;

  /** Number of documents whose values {@link #setRows} copies together. */
  private static final int ROWS = 16;

  private final int features;
  private final float[] values;
  private int documents;
  private int stride;

  /**
   * Creates a matrix without documents.
   *
   * @param features the number of columns, 0 or more
   * @param capacity maximum number of documents, 0 or more
   * @throws IllegalArgumentException if an argument is negative, or the matrix would exceed the
   *     maximum size of an array
   */
  public FeatureMatrix(int features, int capacity) {
    long length = cells(features, capacity);
    if (features < 0 || capacity < 0 || length > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "a matrix cannot have "
              + features
              + " features x "
              + capacity
              + " documents, expected numbers of 0 or more whose product fits into an array");
    }
    this.features = features;
    this.values = new float[(int) length];
    reset(capacity);
  }

  /** Returns the number of floats in a matrix of this size, including its padding. */
  public static long cells(int features, int capacity) {
    return features == 0 ? 0 : (features - 1L) * stride(capacity) + roundUp(capacity);
  }

  private static long stride(int documents) {
    return documents < BLOCK ? documents : roundUp(documents);
  }

  private static long roundUp(int documents) {
    return (documents + (BLOCK - 1L)) / BLOCK * BLOCK;
  }

  /**
   * Prepares the matrix for another batch. The values of the previous batch remain and must be
   * overwritten.
   *
   * @throws IllegalArgumentException if the documents exceed the capacity
   */
  public void reset(int documents) {
    if (documents < 0 || cells(features, documents) > values.length) {
      throw new IllegalArgumentException(
          "the matrix has no room for "
              + documents
              + " documents of "
              + features
              + " features: it was created for "
              + values.length
              + " values, including padding");
    }
    this.documents = documents;
    this.stride = (int) stride(documents);
  }

  /**
   * Creates a matrix from values that are stored by document: {@code rows[d * features + f]} is
   * feature f of document d.
   *
   * @throws IllegalArgumentException if the number of values is not a multiple of {@code features},
   *     or the matrix would be too large for an array
   */
  public static FeatureMatrix ofRows(float[] rows, int features) {
    FeatureMatrix matrix = new FeatureMatrix(features, features == 0 ? 0 : rows.length / features);
    matrix.setRows(rows);
    return matrix;
  }

  /**
   * Copies the values of all documents into the matrix.
   *
   * @param rows the values, stored by document: {@code rows[d * features() + f]}
   * @throws IllegalArgumentException if the number of values is not documents times features
   */
  public void setRows(float[] rows) {
    if (rows.length != documents * features) {
      throw new IllegalArgumentException(
          "rows: found "
              + rows.length
              + " values, expected "
              + documents
              + " documents x "
              + features
              + " features");
    }
    // Only a few rows at a time, so that they stay in the first-level cache while each column is
    // written.
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
   * Replaces all documents of this matrix by documents of another matrix.
   *
   * @param first the document of {@code other} that becomes document 0
   * @param count the number of documents
   * @throws IllegalArgumentException if {@code other} is this matrix or has another number of
   *     features, or the documents exceed the capacity
   * @throws IndexOutOfBoundsException if {@code other} does not have the documents
   */
  public void setFrom(FeatureMatrix other, int first, int count) {
    if (other == this) {
      throw new IllegalArgumentException("a matrix cannot be set from itself");
    }
    Objects.checkFromIndexSize(first, count, other.documents);
    if (other.features != features) {
      throw new IllegalArgumentException(
          "the documents have " + other.features + " features, but the matrix has " + features);
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

  /** Returns the number of floats from the start of one column to the start of the next. */
  public int stride() {
    return stride;
  }

  /**
   * Returns the number of values that can be read from the start of each column: the number of
   * documents, rounded up to a multiple of {@link #BLOCK}.
   */
  public int readable() {
    return (int) roundUp(documents);
  }

  /** Returns the index in {@link #values()} of the first value of a feature's column. */
  public int column(int feature) {
    return feature * stride;
  }

  /** Returns the array that contains the feature values, not a copy. */
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
