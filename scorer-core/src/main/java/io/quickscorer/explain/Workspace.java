// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/** Buffers for {@link Explainer#contributions}. Only one thread at a time may use them. */
public final class Workspace {
  /**
   * For each edge (way from a split to a child), whether the document's value leads to it, at the
   * edge's split and at all splits above that test the same feature. The document need not reach
   * these splits.
   */
  final boolean[] taken;

  /**
   * Values for each edge and integration point. After the pass down: the product of the features'
   * factors (see {@link TreeShap}) on the path from the root to the edge. After the pass up: the
   * sum of these products, times the leaf values, over the leaves below the edge.
   */
  final double[] sums;

  /** For each edge and integration point, 1 divided by the edge's factor (see {@link TreeShap}). */
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
