// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/** Buffers for {@link Explainer#contributions}. Only one thread at a time may use them. */
public final class Workspace {
  /** For each edge, whether the document takes it and all earlier edges for the same feature. */
  final boolean[] taken;

  /**
   * For each edge and integration point, the product of the factors from the root; later, the sum
   * over the leaves below the edge (see {@link TreeShap}).
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
