// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/**
 * A caller's buffers for {@link Explainer#contributions}, reusable for any number of documents by
 * one thread at a time.
 */
public final class Workspace {
  /** Per edge of a tree: whether the document goes that way at all splits of the edge's feature. */
  final boolean[] taken;

  /**
   * Rows of one double per point, a row per edge: products of path factors, then sums of leaves.
   */
  final double[] sums;

  /** Rows as in {@link #sums}: the inverse of the edge's own factor. */
  final double[] inverses;

  Workspace(int edges, int cells) {
    taken = new boolean[edges];
    sums = new double[cells];
    inverses = new double[cells];
  }

  /** Returns the bytes of the buffers. */
  public long bytes() {
    return taken.length + (sums.length + inverses.length) * (long) Double.BYTES;
  }
}
