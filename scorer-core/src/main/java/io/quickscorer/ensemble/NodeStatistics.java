// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Statistics that a trainer stores with the nodes of a tree; they have no influence on scores.
 * Immutable.
 *
 * <p>The <i>cover</i> of a node is the amount of training data that reached the node: the number of
 * rows in LightGBM, the sum of second derivatives in XGBoost. The <i>gain</i> of a split is the
 * reduction of the loss by this split. Both may be absent. Callers must check the values, which
 * come from the file: a cover or a gain can be negative or infinite, but not NaN.
 *
 * <p>Covers are stored as floats if float represents all of them exactly; they then need about 8
 * bytes per leaf.
 */
public final class NodeStatistics {
  /** The statistics of a tree whose file contains no covers and no gains. */
  private static final NodeStatistics NONE = new NodeStatistics(0, null, null);

  private final int splits;
  private final float @Nullable [] floatCovers;
  private final double @Nullable [] doubleCovers;
  private final float @Nullable [] gains;

  /**
   * Returns the statistics of a tree. Covers or gains that contain NaN count as absent.
   *
   * @param covers the amount of training data that reached each split, followed by that of each
   *     leaf
   * @param gains the reduction of the loss by each split
   */
  static NodeStatistics of(double[] covers, float[] gains) {
    boolean hasCovers = Arrays.stream(covers).noneMatch(Double::isNaN);
    boolean hasGains = gains.length > 0;
    for (float gain : gains) {
      hasGains &= !Float.isNaN(gain);
    }
    return hasCovers || hasGains
        ? new NodeStatistics(gains.length, hasCovers ? covers : null, hasGains ? gains : null)
        : NONE;
  }

  private NodeStatistics(int splits, double @Nullable [] covers, float @Nullable [] gains) {
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

  /** Returns whether every node has a cover: the amount of training data that reached it. */
  public boolean hasCovers() {
    return floatCovers != null || doubleCovers != null;
  }

  /** Returns whether every split has a gain: the reduction of the loss by the split. */
  public boolean hasGains() {
    return gains != null;
  }

  /**
   * Returns the cover of a split: the amount of training data that reached it.
   *
   * @throws IllegalStateException if the tree has no covers
   */
  public double splitCover(int split) {
    return cover(split);
  }

  /**
   * Returns the cover of a leaf: the amount of training data that reached it.
   *
   * @throws IllegalStateException if the tree has no covers
   */
  public double leafCover(int leaf) {
    return cover(splits + leaf);
  }

  /**
   * Returns the gain of a split: the reduction of the training loss by this split.
   *
   * @throws IllegalStateException if the tree has no gains
   */
  public float gain(int split) {
    if (gains == null) {
      throw new IllegalStateException(
          "the tree has no gains of splits, because the model's file does not contain them");
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
    throw new IllegalStateException(
        "the tree has no covers (amounts of training data per node), because the model's file does"
            + " not contain them");
  }
}
