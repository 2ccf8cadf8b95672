// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Normalisation;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Generates documents for an ensemble, so that a scorer can be timed without real documents. Each
 * value is the threshold of a random split that tests the feature, so that documents reach all
 * parts of the trees. The documents of an ensemble are always the same.
 */
public final class SampleDocuments {
  private static final int UNUSUAL_ONE_IN = 8;
  private static final int CATEGORIES = 64;

  /** Maximum number of feature values in a generated batch; they need 16 MB. */
  private static final long MAX_CELLS = 1 << 22;

  /** Maximum number of thresholds from which a feature's values are chosen. */
  private static final int MAX_THRESHOLDS = 1024;

  private SampleDocuments() {}

  /** Returns whether a batch of this size is small enough to be generated. */
  public static boolean fit(TreeEnsemble ensemble, int documents) {
    return FeatureMatrix.cells(ensemble.featureNames().size(), documents) <= MAX_CELLS;
  }

  /**
   * Generates a batch. Of 16 values of a feature, one is missing and one is special (such as zero
   * or infinity), so that the code for such values runs too. A batch of 400 documents contains all
   * special values.
   */
  public static FeatureMatrix of(TreeEnsemble ensemble, int documents) {
    int features = ensemble.featureNames().size();
    SplittableRandom random = new SplittableRandom(documents);
    float[][] thresholds = thresholds(ensemble);
    int[] categories = categories(ensemble);
    FeatureMatrix matrix = new FeatureMatrix(features, documents);
    for (int f = 0; f < features; f++) {
      if (thresholds[f].length > 0) {
        float[] specials = specials(thresholds[f][0], categories[f]);
        for (int d = 0; d < documents; d++) {
          float plain = thresholds[f][random.nextInt(thresholds[f].length)];
          // The unusual values of different features are in different documents.
          int turn = (d + 3 * f) / UNUSUAL_ONE_IN;
          boolean unusual = (d + 3 * f) % UNUSUAL_ONE_IN == 0;
          float rare = turn % 2 == 0 ? Float.NaN : specials[turn / 2 % specials.length];
          matrix.set(d, f, unusual ? rare : plain);
        }
      }
    }
    return matrix;
  }

  /**
   * Generates a batch without missing or special values, for comparisons with other libraries. A
   * numeric value is a threshold or the next larger float, so that both sides of all splits are
   * reached. A categorical value is at most the largest category of the splits plus 1.
   */
  public static FeatureMatrix plain(TreeEnsemble ensemble, int documents) {
    int features = ensemble.featureNames().size();
    SplittableRandom random = new SplittableRandom(documents);
    float[][] thresholds = thresholds(ensemble);
    int[] categories = categories(ensemble);
    FeatureMatrix matrix = new FeatureMatrix(features, documents);
    for (int f = 0; f < features; f++) {
      for (int d = 0; thresholds[f].length > 0 && d < documents; d++) {
        float threshold = thresholds[f][random.nextInt(thresholds[f].length)];
        float numeric = random.nextBoolean() ? threshold : Math.nextUp(threshold);
        matrix.set(d, f, categories[f] > 0 ? random.nextInt(categories[f] + 1) : numeric);
      }
    }
    return matrix;
  }

  /**
   * Returns values that a split may treat specially, such as zeros, infinities and unknown
   * categories.
   *
   * @param end one more than the last category of a categorical feature
   */
  private static float[] specials(float threshold, int end) {
    return new float[] {
      Float.MIN_VALUE,
      0f,
      -0f,
      -Float.MIN_VALUE,
      MissingValue.ZERO_BOUND,
      Math.nextUp(MissingValue.ZERO_BOUND),
      Math.nextUp(threshold),
      Math.nextDown(threshold),
      Float.POSITIVE_INFINITY,
      Float.NEGATIVE_INFINITY,
      -0.5f,
      -1f,
      end,
      Integer.MAX_VALUE,
    };
  }

  private static int[] categories(TreeEnsemble ensemble) {
    int[] ends = new int[ensemble.columnNames().size()];
    DerivedColumns derived = ensemble.derived();
    if (derived != null) {
      derived.categorical().stream().forEach(feature -> ends[feature] = CATEGORIES);
    }
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        CategorySet categories = tree.categories(split);
        if (categories != null) {
          int feature = tree.feature(split);
          ends[feature] = Math.max(ends[feature], categories.end());
        }
      }
    }
    return ends;
  }

  /** Returns each feature's thresholds; small whole numbers for a feature without thresholds. */
  private static float[][] thresholds(TreeEnsemble ensemble) {
    int columns = ensemble.columnNames().size();
    float[][] thresholds = new float[columns][0];
    int[] counts = new int[columns];
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        int count = counts[feature];
        if (count < MAX_THRESHOLDS) {
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
    for (int f = 0; f < columns; f++) {
      thresholds[f] = Arrays.copyOf(thresholds[f], counts[f]);
    }
    DerivedColumns derived = ensemble.derived();
    if (derived != null) {
      derived.categorical().stream().forEach(f -> thresholds[f] = numbers());
      int column = columns - derived.size();
      for (DerivedColumns.Group group : derived.groups()) {
        if (group instanceof Normalisation normalisation) {
          // So the features of such a row and their norm are about as large as these thresholds.
          for (int i = 0; i < normalisation.columns(); i++) {
            thresholds[normalisation.features()[i]] = thresholds[column + i];
          }
        }
        column += group.columns();
      }
    }
    return thresholds;
  }

  private static float[] numbers() {
    float[] numbers = new float[CATEGORIES];
    for (int category = 0; category < CATEGORIES; category++) {
      numbers[category] = category;
    }
    return numbers;
  }
}
