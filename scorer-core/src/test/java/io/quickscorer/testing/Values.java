// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Feature values and thresholds that sit on edges. */
public final class Values {
  /** Values at which comparisons, missing rules and category look-ups change their minds. */
  private static final float[] EDGES = {
    0f,
    -0f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    MissingValue.ZERO_BOUND,
    -MissingValue.ZERO_BOUND,
    Math.nextUp(MissingValue.ZERO_BOUND),
    Math.nextDown(-MissingValue.ZERO_BOUND),
    1f,
    -1f,
    -0.5f,
    0.5f,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.NaN,
    16_777_216f,
    2_147_483_648f
  };

  private Values() {}

  /** Random thresholds, some of them on edges, none NaN. */
  static float[] thresholds(SplittableRandom random, int count) {
    float[] thresholds = new float[count];
    for (int i = 0; i < count; i++) {
      float edge = EDGES[random.nextInt(EDGES.length)];
      thresholds[i] =
          random.nextInt(4) > 0 || Float.isNaN(edge) ? (float) random.nextDouble(-3, 3) : edge;
    }
    return thresholds;
  }

  /**
   * Documents whose values are thresholds of the ensemble, their float neighbours, categories, and
   * edges.
   */
  public static FeatureMatrix documents(
      SplittableRandom random, TreeEnsemble ensemble, int documents) {
    int features = ensemble.featureNames().size();
    List<List<Float>> candidates = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      candidates.add(new ArrayList<>());
    }
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        List<Float> of = candidates.get(tree.feature(split));
        CategorySet set = tree.categories(split);
        if (set != null) {
          of.add((float) random.nextInt((int) Math.min(set.end() + 2L, Integer.MAX_VALUE)));
          int[] members = set.categories();
          int member = members.length == 0 ? 0 : members[random.nextInt(members.length)];
          of.add(member + random.nextInt(-1, 2) + random.nextFloat());
        } else {
          float threshold = tree.threshold(split);
          of.add(threshold);
          of.add(Math.nextUp(threshold));
          of.add(Math.nextDown(threshold));
        }
      }
    }
    FeatureMatrix matrix = new FeatureMatrix(features, documents);
    // The padding must not matter: fill it with values that would.
    for (int i = 0; i < matrix.values().length; i++) {
      matrix.values()[i] = EDGES[random.nextInt(EDGES.length)];
    }
    for (int f = 0; f < features; f++) {
      List<Float> of = candidates.get(f);
      for (int d = 0; d < documents; d++) {
        int kind = random.nextInt(10);
        float value;
        if (kind < 5 && !of.isEmpty()) {
          value = of.get(random.nextInt(of.size()));
        } else if (kind < 7) {
          value = EDGES[random.nextInt(EDGES.length)];
        } else {
          value = (float) random.nextDouble(-3, 3);
        }
        matrix.set(d, f, value);
      }
    }
    return matrix;
  }
}
