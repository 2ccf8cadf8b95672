// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * The buffers of one thread for a group of documents, which has one lane per document.
 *
 * @param leaves the bitvectors of a block of trees: for each byte a row of lanes, and one more row
 * @param exitBytes as many rows; at the end, the first row of each tree contains the index of the
 *     byte with the exit leaf
 * @param values the values of one column
 */
record RapidScratch(byte[] leaves, byte[] exitBytes, float[] values) implements Scratch {
  @Override
  public long bytes() {
    return leaves.length + exitBytes.length + 4L * values.length;
  }
}
