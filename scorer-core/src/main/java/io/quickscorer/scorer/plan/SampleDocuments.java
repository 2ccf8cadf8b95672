package io.quickscorer.scorer.plan;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Documents made up for an ensemble, where a scorer is to be timed before the first real ones
 * arrive. A value of a feature is one of its own thresholds, each split counted: values then fall
 * between the thresholds as densely as the trainer put them, half of a feature's splits are false,
 * and all parts of the trees are reached. One value in 16 is missing, so that the code for that
 * runs too. The same ensemble always gets the same documents.
 */
public final class SampleDocuments {
  private static final int MISSING_ONE_IN = 16;
  private static final int CATEGORIES = 64;

  /** Values of a batch: 16 MB. */
  private static final long MOST_CELLS = 1 << 22;

  /** Thresholds remembered per feature; more say nothing new. */
  private static final int MOST_THRESHOLDS = 1024;

  private SampleDocuments() {}

  /** Whether a batch of so many documents is small enough to be made up. */
  public static boolean fit(TreeEnsemble ensemble, int documents) {
    return FeatureMatrix.cells(ensemble.featureNames().size(), documents) <= MOST_CELLS;
  }

  /** A batch of so many documents. */
  public static FeatureMatrix of(TreeEnsemble ensemble, int documents) {
    int features = ensemble.featureNames().size();
    SplittableRandom random = new SplittableRandom(documents);
    float[][] thresholds = thresholds(ensemble, features);
    FeatureMatrix matrix = new FeatureMatrix(features, documents);
    for (int f = 0; f < features; f++) {
      if (thresholds[f].length > 0) {
        for (int d = 0; d < documents; d++) {
          boolean missing = random.nextInt(MISSING_ONE_IN) == 0;
          float value = thresholds[f][random.nextInt(thresholds[f].length)];
          matrix.set(d, f, missing ? Float.NaN : value);
        }
      }
    }
    return matrix;
  }

  /** Of each feature its thresholds; where it has but categories, the first numbers. */
  private static float[][] thresholds(TreeEnsemble ensemble, int features) {
    float[][] thresholds = new float[features][0];
    int[] counts = new int[features];
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        int count = counts[feature];
        if (count < MOST_THRESHOLDS) {
          if (count == thresholds[feature].length) {
            thresholds[feature] = Arrays.copyOf(thresholds[feature], Math.max(8, 2 * count));
          }
          CategorySet categories = tree.categories(split);
          thresholds[feature][count] =
              categories == null ? tree.threshold(split) : count % CATEGORIES;
          counts[feature]++;
        }
      }
    }
    for (int f = 0; f < features; f++) {
      thresholds[f] = Arrays.copyOf(thresholds[f], counts[f]);
    }
    return thresholds;
  }
}
