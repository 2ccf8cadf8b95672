// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

/**
 * One thread's ranks of a batch, a row of bytes for each document, and the kernel that finds them.
 */
final class RankRows {
  /** Documents whose ranks are found together. */
  static final int GROUP = 16;

  /** Bytes of a row: whole tables, padded. */
  final int rowBytes;

  /** By document and column. */
  byte[] bytes = new byte[0];

  /** By column and document of a group: values as ordered ints. */
  final int[] keys;

  /** By column and document of a group: the outcomes of a search so far, see SearchTree. */
  final int[] prefixes;

  RankRows(int rowBytes, int columns) {
    this.rowBytes = rowBytes;
    this.keys = new int[GROUP * columns];
    this.prefixes = new int[GROUP * columns];
  }

  /** Allocates the rows for this many documents. */
  void ensure(int documents) {
    int length = Math.multiplyExact(documents, rowBytes);
    if (bytes.length < length) {
      bytes = new byte[length];
    }
  }

  long size() {
    return bytes.length + 4L * (keys.length + prefixes.length);
  }
}
