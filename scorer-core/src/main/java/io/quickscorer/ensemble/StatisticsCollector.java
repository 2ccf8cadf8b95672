// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects the {@link NodeStatistics} (covers and gains) of one tree after the other, by the node
 * numbers of the file. A tree has covers only if all its nodes have a cover, and gains only if all
 * its splits have a gain; NaN counts as absent.
 */
final class StatisticsCollector {
  private double[] covers = new double[0];
  private float[] gains = new float[0];
  private boolean anyCover;
  private boolean anyGain;

  /** Starts the next tree. Discards the statistics of the previous one. */
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
   * Returns the statistics of the finished tree, in which nodes have new numbers.
   *
   * @param reached the numbers in the file of the tree's nodes
   * @param count the number of these nodes
   * @param number for each number in the file, the number of the split in the tree, or {@code
   *     ~leaf} for a leaf
   * @param splits the number of splits among the nodes
   */
  NodeStatistics collect(int[] reached, int count, int[] number, int splits) {
    double @Nullable [] ofAll = anyCover ? covers(reached, count, number, splits) : null;
    float @Nullable [] ofSplits = anyGain ? gains(reached, count, number, splits) : null;
    return ofAll == null && ofSplits == null
        ? NodeStatistics.NONE
        : new NodeStatistics(splits, ofAll, ofSplits);
  }

  private double @Nullable [] covers(int[] reached, int count, int[] number, int splits) {
    double[] result = new double[count];
    for (int i = 0; i < count; i++) {
      double cover = covers[reached[i]];
      if (Double.isNaN(cover)) {
        return null;
      }
      int to = number[reached[i]];
      result[to < 0 ? splits + ~to : to] = cover;
    }
    return result;
  }

  private float @Nullable [] gains(int[] reached, int count, int[] number, int splits) {
    float[] result = new float[splits];
    for (int i = 0; i < count; i++) {
      int to = number[reached[i]];
      if (to >= 0) {
        result[to] = gains[reached[i]];
        if (Float.isNaN(result[to])) {
          return null;
        }
      }
    }
    return result;
  }
}
