// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

/** How much memory may be taken by what a file's categories are turned into. */
final class CategoryMemory {
  /** Bytes that any file may need, however small. */
  private static final long FREE_BYTES = 64L << 20;

  /** Bytes that a file may need in addition, per byte of its own. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  private CategoryMemory() {}

  /** Bytes that the categories of a file of this size may take. */
  public static long bytesFor(long fileBytes) {
    return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
  }
}
