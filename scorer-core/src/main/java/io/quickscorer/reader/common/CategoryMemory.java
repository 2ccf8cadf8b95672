// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.common;

/** How much memory the category bitmaps of one file may take. */
public final class CategoryMemory {
  /** What any file may need, however small. */
  private static final long FREE_BYTES = 64L << 20;

  /** What a file may need beyond that, per byte of its own. */
  private static final int BYTES_PER_FILE_BYTE = 16;

  private CategoryMemory() {}

  /** Bytes that the category bitmaps of a file of this size may take. */
  public static long bytesFor(long fileBytes) {
    return FREE_BYTES + BYTES_PER_FILE_BYTE * fileBytes;
  }
}
