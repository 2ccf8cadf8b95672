// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects covers and gains under a file's node numbers, one tree after the other. A tree has
 * covers if all its nodes have one, and gains if all its splits have one; NaN counts as none.
 */
final class StatisticsCollector {
  private double[] covers = new double[0];
  private float[] gains = new float[0];
  private boolean anyCover;
  private boolean anyGain;

  /** Discards the last tree's statistics. */
  void start() {
    anyCover = false;
    anyGain = false;
  }

  void cover(int node, int nodes, double cover) {
    if (!anyCover) {
      covers = covers.length < nodes ? new double[nodes] : covers;
      Arrays.fill(covers, 0, nodes, Double.NaN);
      anyCover = true;
    }
    covers[node] = cover;
  }

  void gain(int node, int nodes, float gain) {
    if (!anyGain) {
      gains = gains.length < nodes ? new float[nodes] : gains;
      Arrays.fill(gains, 0, nodes, Float.NaN);
      anyGain = true;
    }
    gains[node] = gain;
  }

  /**
   * Returns the statistics under the tree's own numbers.
   *
   * @param reached the file's numbers of the tree's nodes
   * @param count number of these nodes
   * @param number of each node: a split's, or {@code ~leaf}
   * @param splits number of splits among the nodes
   */
  NodeStatistics collect(int[] reached, int count, int[] number, int splits) {
    double @Nullable [] ofAll = anyCover ? covers(reached, count, number, splits) : null;
    float @Nullable [] ofSplits = anyGain ? gains(reached, count, number, splits) : null;
    return ofAll == null && ofSplits == null
        ? NodeStatistics.NONE
        : new NodeStatistics(splits, ofAll, ofSplits);
  }

  private double @Nullable [] covers(int[] reached, int count, int[] number, int splits) {
    double[] of = new double[count];
    for (int i = 0; i < count; i++) {
      double cover = covers[reached[i]];
      if (Double.isNaN(cover)) {
        return null;
      }
      int to = number[reached[i]];
      of[to < 0 ? splits + ~to : to] = cover;
    }
    return of;
  }

  private float @Nullable [] gains(int[] reached, int count, int[] number, int splits) {
    float[] of = new float[splits];
    for (int i = 0; i < count; i++) {
      int to = number[reached[i]];
      if (to >= 0) {
        of[to] = gains[reached[i]];
        if (Float.isNaN(of[to])) {
          return null;
        }
      }
    }
    return of;
  }
}
