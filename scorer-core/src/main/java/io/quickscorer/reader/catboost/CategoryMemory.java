// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

/** The maximum memory for structures built from a file's categories. */
final class CategoryMemory {
  /** Bytes allowed for any file. */
  private static final long FREE_BYTES = 64L << 20;

  /** Bytes allowed in addition, per byte of the file. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  private CategoryMemory() {}

  /** Returns the bytes allowed for the categories of a file of this size. */
  public static long bytesFor(long fileBytes) {
    return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
  }
}
