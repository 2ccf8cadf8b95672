// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * The buffers with which one thread scores some documents at the same time, one per vector lane. In
 * the byte arrays, a row has one byte per lane.
 *
 * @param leaves the bitvectors of a block of trees: row i has byte i of all documents' bitvectors;
 *     the last row is padding
 * @param exitBytes an array of the same size as {@code leaves}; the first row of each tree receives
 *     the index of the byte with the leaf that the document reaches
 * @param values the feature values of one column
 */
record RapidScratch(byte[] leaves, byte[] exitBytes, float[] values) implements Scratch {
  @Override
  public long bytes() {
    return leaves.length + exitBytes.length + 4L * values.length;
  }
}
