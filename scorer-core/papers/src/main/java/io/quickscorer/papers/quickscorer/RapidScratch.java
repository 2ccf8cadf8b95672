// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.scorer.Scratch;

/**
 * Buffers of one thread for one group of documents.
 *
 * @param leaves the bitvectors of a tree block, one row of lanes per byte and a row to spare
 * @param exitBytes as many rows; in the end, the first of each tree says which byte the exit leaf
 *     is in
 * @param values one feature's values, as a column reads them
 */
record RapidScratch(byte[] leaves, byte[] exitBytes, float[] values) implements Scratch {
  @Override
  public long bytes() {
    return leaves.length + exitBytes.length + 4L * values.length;
  }
}
