// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

/** The maximum size of structures that are built from the categories of a file. */
final class CategoryMemory {
  /** Maximum size of these structures for an empty file, in bytes. */
  private static final long FREE_BYTES = 64L << 20;

  /** Number of bytes by which each byte of the file raises this maximum. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  private CategoryMemory() {}

  /**
   * Returns the maximum number of bytes for the categories of a file of {@code fileBytes} bytes.
   */
  public static long bytesFor(long fileBytes) {
    return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
  }
}
