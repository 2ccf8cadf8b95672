// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * The buffers with which one thread scores a group of documents, one per vector lane.
 *
 * @param leaves the bitvectors of a block of trees: one row of lanes for each byte, followed by a
 *     row of padding
 * @param exitBytes the same number of rows; the first row of each tree receives the index of the
 *     byte with the leaf that the document reaches
 * @param values the values of one column
 */
record RapidScratch(byte[] leaves, byte[] exitBytes, float[] values) implements Scratch {
  @Override
  public long bytes() {
    return leaves.length + exitBytes.length + 4L * values.length;
  }
}
