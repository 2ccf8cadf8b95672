// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import org.jspecify.annotations.Nullable;

/**
 * Statistics that a trainer stores with the nodes of a tree; no score depends on them.
 *
 * <p>The <i>cover</i> of a node is how much of the training data reached it: rows in LightGBM, the
 * sum of second derivatives in XGBoost. The <i>gain</i> of a split is how much it lowered the loss.
 * Either may be absent. The values are the file's claims, and callers must check them: a cover or a
 * gain may be negative or infinite, but not NaN.
 *
 * <p>Covers are kept as floats where that loses nothing, which takes 8 bytes per leaf.
 */
public final class NodeStatistics {
  static final NodeStatistics NONE = new NodeStatistics(0, null, null);

  private final int splits;
  private final float @Nullable [] floatCovers;
  private final double @Nullable [] doubleCovers;
  private final float @Nullable [] gains;

  /**
   * @param covers of the splits, then of the leaves; null if absent
   * @param gains of the splits; null if absent
   */
  NodeStatistics(int splits, double @Nullable [] covers, float @Nullable [] gains) {
    this.splits = splits;
    this.floatCovers = covers == null ? null : exactFloats(covers);
    this.doubleCovers = floatCovers == null ? covers : null;
    this.gains = gains;
  }

  private static float @Nullable [] exactFloats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
      if (floats[i] != values[i]) {
        return null;
      }
    }
    return floats;
  }

  /** Returns whether every node of the tree has a cover. */
  public boolean hasCovers() {
    return floatCovers != null || doubleCovers != null;
  }

  /** Returns whether every split of the tree has a gain. */
  public boolean hasGains() {
    return gains != null;
  }

  /**
   * Returns the cover of a split.
   *
   * @throws IllegalStateException if the tree has no covers
   */
  public double splitCover(int split) {
    return cover(split);
  }

  /**
   * Returns the cover of a leaf.
   *
   * @throws IllegalStateException if the tree has no covers
   */
  public double leafCover(int leaf) {
    return cover(splits + leaf);
  }

  /**
   * Returns the gain of a split.
   *
   * @throws IllegalStateException if the tree has no gains
   */
  public float gain(int split) {
    if (gains == null) {
      throw new IllegalStateException("the tree has no gains");
    }
    return gains[split];
  }

  private double cover(int index) {
    if (floatCovers != null) {
      return floatCovers[index];
    }
    if (doubleCovers != null) {
      return doubleCovers[index];
    }
    throw new IllegalStateException("the tree has no covers");
  }
}
