package io.quickscorer.bench;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Documents made up from a model's own splits, for want of real ones: the value of a feature lies
 * between two of its neighbouring thresholds, or beyond the outermost, chosen as often as splits
 * test them. So every part of the trees is reached, and about half of the splits are false.
 * Features are drawn independently, and none is missing. The same model always gets the same
 * documents.
 */
public final class GeneratedRows {
  private static final int SEED = 7;

  private GeneratedRows() {}

  /** Row-major values of so many documents. */
  public static float[] of(TreeEnsemble ensemble, int documents) {
    int features = ensemble.featureNames().size();
    float[][] thresholds = thresholds(ensemble, features);
    int[] categories = categories(ensemble, features);
    SplittableRandom random = new SplittableRandom(SEED);
    float[] rows = new float[Math.multiplyExact(documents, features)];
    for (int i = 0; i < rows.length; i++) {
      int f = i % features;
      rows[i] =
          categories[f] > 0
              ? random.nextInt(categories[f] + 1)
              : thresholds[f].length == 0 ? 0 : between(thresholds[f], random);
    }
    return rows;
  }

  private static float between(float[] sorted, SplittableRandom random) {
    int above = random.nextInt(sorted.length + 1);
    if (above == 0) {
      return sorted[0];
    }
    float below = sorted[above - 1];
    if (above == sorted.length) {
      return Math.nextUp(below);
    }
    double share = 1 - random.nextDouble();
    float value = (float) (below + share * ((double) sorted[above] - below));
    return Float.isFinite(value) ? value : below;
  }

  /** All numeric thresholds of each feature, ascending, with repetitions. */
  private static float[][] thresholds(TreeEnsemble ensemble, int features) {
    int[] counts = new int[features];
    float[][] thresholds = new float[features][8];
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        if (tree.categories(split) == null) {
          int f = tree.feature(split);
          if (counts[f] == thresholds[f].length) {
            thresholds[f] = Arrays.copyOf(thresholds[f], 2 * counts[f]);
          }
          thresholds[f][counts[f]++] = tree.threshold(split);
        }
      }
    }
    for (int f = 0; f < features; f++) {
      thresholds[f] = Arrays.copyOf(thresholds[f], counts[f]);
      Arrays.sort(thresholds[f]);
    }
    return thresholds;
  }

  /** One more than the largest category that some split knows; 0 for features without. */
  private static int[] categories(TreeEnsemble ensemble, int features) {
    int[] ends = new int[features];
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        CategorySet set = tree.categories(split);
        if (set != null) {
          ends[tree.feature(split)] = Math.max(ends[tree.feature(split)], set.end());
        }
      }
    }
    return ends;
  }
}
