// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

/** The ranks of a batch: one row of bytes per document. Used by one thread at a time. */
final class RankRows {
  /** Number of documents whose ranks are computed together. */
  static final int GROUP = 16;

  /** Number of bytes in one document's row of ranks, padded to a multiple of the table size. */
  final int rowBytes;

  /** The ranks of all documents: for document d and column c, at {@code d * rowBytes + c}. */
  byte[] bytes = new byte[0];

  /** For each column, the values of a group of documents as order-preserving ints. */
  final int[] keys;

  /**
   * For each column and document of a group, the position of the search in the column's {@link
   * io.quickscorer.engine.columns.SearchTree}: a 1 bit, followed by the bits of the rank that are
   * already known.
   */
  final int[] prefixes;

  RankRows(int rowBytes, int columns) {
    this.rowBytes = rowBytes;
    this.keys = new int[GROUP * columns];
    this.prefixes = new int[GROUP * columns];
  }

  void ensure(int documents) {
    int length = Math.multiplyExact(documents, rowBytes);
    if (bytes.length < length) {
      bytes = new byte[length];
    }
  }

  /** Returns the memory of the buffers in bytes. */
  long size() {
    return bytes.length + 4L * (keys.length + prefixes.length);
  }
}
