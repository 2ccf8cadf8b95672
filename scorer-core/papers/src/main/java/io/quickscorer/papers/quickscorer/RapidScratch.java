// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * The buffers of one thread for a group of documents, which has one lane per document.
 *
 * @param leaves the bitvectors of a block of trees: a row of lanes for each byte, then a row of
 *     padding
 * @param exitBytes the same number of rows; after the search for exit leaves, the first row of each
 *     tree contains the index of the byte with the exit leaf
 * @param values the values of one column
 */
record RapidScratch(byte[] leaves, byte[] exitBytes, float[] values) implements Scratch {
  @Override
  public long bytes() {
    return leaves.length + exitBytes.length + 4L * values.length;
  }
}
