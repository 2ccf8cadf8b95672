// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

/** Buffers for {@link Explainer#contributions}, for one thread at a time. */
public final class Workspace {
  /** For each edge, whether the document's path takes it and the edges above with its feature. */
  final boolean[] taken;

  /** For each edge and integration point: the product of the factors, later the sum of leaves. */
  final double[] sums;

  /** For each edge and integration point, the inverse of the factor of the edge. */
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
