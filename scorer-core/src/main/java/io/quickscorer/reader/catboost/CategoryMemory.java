// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

/** The maximum memory of data structures that are built from the categories of a file. */
final class CategoryMemory {
  /** Memory in bytes that the categories of every file may need, whatever the size of the file. */
  private static final long FREE_BYTES = 64L << 20;

  /** Number of bytes of memory that each byte of the file adds to the limit {@link #FREE_BYTES}. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  private CategoryMemory() {}

  /**
   * Returns the memory limit, in bytes, for the categories of a file of {@code fileBytes} bytes.
   */
  public static long bytesFor(long fileBytes) {
    return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
  }
}
