// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.explain;

import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The importance of one feature in an ensemble.
 *
 * @param splits the number of splits that test the feature
 * @param totalGain the sum of the gains of these splits; NaN if the model's file does not have all
 *     gains
 * @param totalCover the sum of the covers of these splits (a cover is the amount of training data
 *     that reached a split); NaN if the model's file does not have all covers
 * @param weight the weight of the feature's (possibly normalised) value in a linear model; 0 if the
 *     model has no term for the feature, NaN if the model has trees
 */
public record FeatureImportance(
    String feature, long splits, double totalGain, double totalCover, double weight) {
  /** Returns whether a split tests the feature, or its weight is not 0. */
  public boolean isUsed() {
    return splits > 0 || Math.abs(weight) > 0;
  }

  /**
   * Returns the mean gain per split; 0 without a split, NaN if the file does not have all gains.
   */
  public double averageGain() {
    return splits == 0 ? totalGain : totalGain / splits;
  }

  /**
   * Returns the mean cover per split; 0 without a split, NaN if the file does not have all covers.
   */
  public double averageCover() {
    return splits == 0 ? totalCover : totalCover / splits;
  }

  /** Returns the importances of all features in the ensemble's order, then of derived columns. */
  public static List<FeatureImportance> of(TreeEnsemble ensemble) {
    List<String> names = ensemble.columnNames();
    int features = names.size();
    long[] splits = new long[features];
    double[] gains = new double[features];
    double[] covers = new double[features];
    for (Tree tree : ensemble.trees()) {
      NodeStatistics statistics = tree.statistics();
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        splits[feature]++;
        gains[feature] += statistics.hasGains() ? statistics.gain(split) : 0;
        covers[feature] += statistics.hasCovers() ? statistics.splitCover(split) : 0;
      }
      if (tree.splits() > 0 && !statistics.hasGains()) {
        Arrays.fill(gains, Double.NaN);
      }
      if (tree.splits() > 0 && !statistics.hasCovers()) {
        Arrays.fill(covers, Double.NaN);
      }
    }
    double[] weights = new double[features];
    LinearTerms linear = ensemble.linear();
    if (linear == null) {
      Arrays.fill(weights, Double.NaN);
    } else {
      Arrays.fill(gains, Double.NaN);
      Arrays.fill(covers, Double.NaN);
      for (int term = 0; term < linear.size(); term++) {
        weights[linear.feature(term)] += linear.weight(term);
      }
    }
    List<FeatureImportance> importances = new ArrayList<>(features);
    for (int f = 0; f < features; f++) {
      importances.add(
          new FeatureImportance(names.get(f), splits[f], gains[f], covers[f], weights[f]));
    }
    return importances;
  }
}
