// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * What an ensemble asks of one feature.
 *
 * @param thresholds of its numeric splits, ascending, each once
 * @param firstEnd one more than the largest category of the smallest set; 0 without categories
 * @param lastEnd the same of the largest set
 * @param members of its sets but 0, ascending, each once
 */
record FeatureEdges(float[] thresholds, int firstEnd, int lastEnd, int[] members) {
  /** Below this, values are near zero, which is special. */
  private static final float NEAR_ZERO = 0.01f;

  static List<FeatureEdges> of(TreeEnsemble ensemble) {
    int features = ensemble.featureNames().size();
    List<TreeSet<Float>> thresholds = new ArrayList<>();
    List<TreeSet<Integer>> members = new ArrayList<>();
    int[] first = new int[features];
    int[] last = new int[features];
    for (int f = 0; f < features; f++) {
      thresholds.add(new TreeSet<>());
      members.add(new TreeSet<>());
    }
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++) {
        int feature = tree.feature(split);
        CategorySet set = tree.categories(split);
        if (set == null) {
          thresholds.get(feature).add(tree.threshold(split));
        } else if (set.end() > 0) {
          first[feature] = first[feature] == 0 ? set.end() : Math.min(first[feature], set.end());
          last[feature] = Math.max(last[feature], set.end());
          Arrays.stream(set.categories())
              .filter(member -> member > 0)
              .forEach(members.get(feature)::add);
        }
      }
    }
    List<FeatureEdges> edges = new ArrayList<>();
    for (int f = 0; f < features; f++) {
      int[] known = members.get(f).stream().mapToInt(Integer::intValue).toArray();
      edges.add(new FeatureEdges(floats(thresholds.get(f)), first[f], last[f], known));
    }
    return edges;
  }

  private static float[] floats(TreeSet<Float> set) {
    float[] floats = new float[set.size()];
    int i = 0;
    for (float each : set) {
      floats[i++] = each;
    }
    return floats;
  }

  boolean isCategorical() {
    return lastEnd > 0;
  }

  boolean isThreshold(float value) {
    return Arrays.binarySearch(thresholds, value) >= 0;
  }

  /** A value that is nothing special: a known category but 0, or some number not near zero. */
  float plain(SplittableRandom random) {
    if (isCategorical()) {
      return members.length > 0 && random.nextBoolean()
          ? members[random.nextInt(members.length)]
          : random.nextInt(1, Math.max(2, firstEnd));
    }
    float value;
    do {
      value = (float) random.nextDouble(-3, 3);
    } while (Math.abs(value) < NEAR_ZERO || isThreshold(value));
    return value;
  }
}
