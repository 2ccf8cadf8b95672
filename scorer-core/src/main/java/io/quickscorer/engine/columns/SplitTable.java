// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.CompileProgress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct tests of an ensemble's splits, from which all engines start. For each feature and
 * each {@link MissingValue} rule, the table lists the distinct thresholds in ascending order. For
 * each feature, it lists the distinct category predicates in the order of their first splits.
 * Immutable.
 */
public final class SplitTable {
  private static final MissingValue[] RULES = MissingValue.values();
  private static final int[] NONE = {};

  private final @Nullable FeatureSplits[] features;

  /** Collects the tests of the trees of a model that has {@code featureCount} features. */
  public SplitTable(List<Tree> trees, int featureCount, CompileProgress progress) {
    features = new FeatureSplits[featureCount];
    int collected = 0;
    for (Tree tree : trees) {
      progress.report(collected++, trees.size());
      for (int split = 0; split < tree.splits(); split++) {
        FeatureSplits tests = features[tree.feature(split)];
        if (tests == null) {
          tests = new FeatureSplits();
          features[tree.feature(split)] = tests;
        }
        tests.add(tree, split);
      }
    }
    for (FeatureSplits tests : features) {
      if (tests != null) {
        tests.trim();
      }
    }
  }

  public int featureCount() {
    return features.length;
  }

  public boolean uses(int feature) {
    return features[feature] != null;
  }

  /**
   * Returns the {@linkplain FloatOrder#key keys} of the distinct thresholds, ascending; not a copy.
   */
  public int[] thresholds(int feature, MissingValue rule) {
    FeatureSplits tests = features[feature];
    return tests == null ? NONE : tests.keys[rule.ordinal()];
  }

  /** Returns the index in {@link #thresholds} of a numeric split's threshold. */
  public int place(Tree tree, int split) {
    return Arrays.binarySearch(
        thresholds(tree.feature(split), tree.missing(split)),
        FloatOrder.key(tree.threshold(split)));
  }

  /** Returns the distinct category predicates of a feature, in the order of their first splits. */
  public List<CategoryClasses.Predicate> sets(int feature) {
    FeatureSplits tests = features[feature];
    return tests == null ? List.of() : List.copyOf(tests.sets.keySet());
  }

  /** Returns the index in {@link #sets} of a categorical split's predicate. */
  public int set(Tree tree, int split) {
    FeatureSplits tests = features[tree.feature(split)];
    CategorySet set = tree.categories(split);
    return tests == null || set == null
        ? 0
        : tests.sets.getOrDefault(new CategoryClasses.Predicate(set, tree.missing(split)), 0);
  }

  /** The tests on one feature. Each array has one element per rule for missing values. */
  private static final class FeatureSplits {
    private final int[][] keys = new int[RULES.length][0];
    private final int[] counts = new int[RULES.length];
    private final Map<CategoryClasses.Predicate, Integer> sets = new LinkedHashMap<>();

    void add(Tree tree, int split) {
      CategorySet set = tree.categories(split);
      if (set != null) {
        sets.putIfAbsent(new CategoryClasses.Predicate(set, tree.missing(split)), sets.size());
        return;
      }
      int rule = tree.missing(split).ordinal();
      if (counts[rule] == keys[rule].length) {
        sortDistinct(rule);
        keys[rule] = Arrays.copyOf(keys[rule], Math.max(8, 2 * counts[rule]));
      }
      keys[rule][counts[rule]++] = FloatOrder.key(tree.threshold(split));
    }

    private void sortDistinct(int rule) {
      int[] sorted = keys[rule];
      Arrays.sort(sorted, 0, counts[rule]);
      int distinct = 0;
      for (int i = 0; i < counts[rule]; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
          sorted[distinct++] = sorted[i];
        }
      }
      counts[rule] = distinct;
    }

    void trim() {
      for (int rule = 0; rule < RULES.length; rule++) {
        sortDistinct(rule);
        keys[rule] = Arrays.copyOf(keys[rule], counts[rule]);
      }
    }
  }
}
