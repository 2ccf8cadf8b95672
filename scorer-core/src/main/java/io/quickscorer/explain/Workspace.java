// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * Buffers for {@link Explainer#contributions}, reusable for any number of documents, but only by
 * one thread at a time.
 */
public final class Workspace {
  /**
   * For each edge of a tree, whether the document's path takes this edge and all edges above it
   * whose splits test the same feature.
   */
  final boolean[] taken;

  /**
   * For each edge, a row with one double per integration point: first the product of the factors on
   * the path, then the sum over the leaves.
   */
  final double[] sums;

  /**
   * For each edge, a row with one double per integration point: the inverse of the factor of the
   * edge.
   */
  final double[] inverses;

  Workspace(int edges, int cells) {
    taken = new boolean[edges];
    sums = new double[cells];
    inverses = new double[cells];
  }

  /** Returns the memory of the buffers in bytes. */
  public long bytes() {
    return taken.length + (sums.length + inverses.length) * (long) Double.BYTES;
  }
}
