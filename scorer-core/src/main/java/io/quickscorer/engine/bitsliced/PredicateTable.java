// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.CategoryClasses;
import io.quickscorer.engine.columns.FloatOrder;
import io.quickscorer.engine.columns.SearchTree;
import io.quickscorer.engine.columns.SplitTable;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the distinct predicates (tests of features) of an ensemble. All splits with equal tests
 * use one bitmap.
 *
 * <p>A numeric predicate has a feature, a threshold and a rule for missing values; a categorical
 * predicate has a set of categories instead of the threshold.
 */
final class PredicateTable {
  private static final MissingValue[] RULES = MissingValue.values();

  private final SplitTable splits;
  private final @Nullable Column[] columns;
  private final FeaturePredicates[] features;
  private final int size;

  /**
   * Collects the distinct predicates (tests of features) of an ensemble.
   *
   * @param maxPredicates the maximum number of distinct predicates
   * @throws UnsupportedEnsembleException if there are more
   */
  public PredicateTable(TreeEnsemble ensemble, int maxPredicates, CompileProgress progress) {
    columns = new Column[ensemble.featureNames().size()];
    splits = new SplitTable(ensemble.trees(), columns.length, progress);
    List<FeaturePredicates> used = new ArrayList<>();
    int next = 0;
    for (int f = 0; f < columns.length; f++) {
      if (splits.uses(f)) {
        Column column = new Column(splits, f);
        columns[f] = column;
        FeaturePredicates feature = column.build(next, progress);
        used.add(feature);
        next = feature.end();
      }
    }
    if (next > maxPredicates) {
      throw new UnsupportedEnsembleException(
          "bitsliced: the splits have "
              + next
              + " distinct conditions, at most "
              + maxPredicates
              + " allowed");
    }
    features = used.toArray(FeaturePredicates[]::new);
    size = next;
  }

  /** Returns the number of distinct predicates (tests of features). */
  public int size() {
    return size;
  }

  /** Returns the predicates of each feature that a split tests, in ascending order of features. */
  public FeaturePredicates[] features() {
    return features;
  }

  /**
   * Returns the index of a split's predicate (test of a feature). The predicate's bitmap has the
   * same index.
   */
  public int number(Tree tree, int split) {
    Column column = columns[tree.feature(split)];
    if (column == null) {
      throw new IllegalArgumentException(
          "the split does not belong to the ensemble that was compiled");
    }
    return tree.categories(split) == null
        ? column.number(tree, split)
        : column.firstSet + splits.set(tree, split);
  }

  /** Collects the predicates (tests) of one feature, and gives them their numbers. */
  private static final class Column {
    private final SplitTable splits;
    private final int feature;

    /**
     * The numeric predicates, ascending. Each is packed as {@code key << 2 | rule}: the threshold
     * as an int, and the rule for missing values.
     */
    private final long[] numeric;

    /** For each predicate in {@link #numeric}, its index, which is also the index of its bitmap. */
    private final int[] numbers;

    private int firstSet;

    Column(SplitTable splits, int feature) {
      this.splits = splits;
      this.feature = feature;
      this.numeric =
          Arrays.stream(RULES)
              .flatMapToLong(
                  rule ->
                      Arrays.stream(splits.thresholds(feature, rule))
                          .mapToLong(key -> packed(key, rule)))
              .sorted()
              .toArray();
      this.numbers = new int[numeric.length];
    }

    private static long packed(int key, MissingValue rule) {
      return (long) key << 2 | rule.ordinal();
    }

    int number(Tree tree, int split) {
      long predicate = packed(FloatOrder.key(tree.threshold(split)), tree.missing(split));
      return numbers[Arrays.binarySearch(numeric, predicate)];
    }

    FeaturePredicates build(int first, CompileProgress progress) {
      int missingRank = missingRank();
      Patches patches = new Patches();
      List<CategoryClasses.Predicate> sets = splits.sets(feature);
      int[] pivots = new int[numeric.length];
      int distinct = 0;
      for (int i = 0; i < numeric.length; ) {
        int end = i + 1;
        while (end < numeric.length && numeric[end] >> 2 == numeric[i] >> 2) {
          end++;
        }
        pivots[distinct] = (int) (numeric[i] >> 2);
        patches.pivot(i, end, first + distinct, MissingValue.of(distinct >= missingRank, false));
        distinct++;
        i = end;
      }
      firstSet = first + distinct + patches.copies;
      patches.shiftCopies(first + distinct);
      int[] pivotKeys = Arrays.copyOf(pivots, distinct);
      int bits = FeaturePredicates.rankBits(distinct);
      int[] levels = new int[SearchTree.length(bits)];
      SearchTree.write(pivotKeys, bits, levels, 0);
      return new FeaturePredicates(
          feature,
          first,
          firstSet + sets.size(),
          pivotKeys,
          levels,
          missingRank,
          ints(patches.sources),
          ints(patches.targets),
          patches.rules.toArray(MissingValue[]::new),
          patches.rules.stream().anyMatch(MissingValue::zeroIsMissing),
          sets.isEmpty() ? null : new CategoryClasses(feature, firstSet, sets, progress));
    }

    /** Returns the rank for missing values with which the fewest predicates need a correction. */
    private int missingRank() {
      int best = 0;
      int rank = 0;
      int gain = 0;
      int maxGain = 0;
      for (int i = 0; i < numeric.length; i++) {
        gain += hasRule(i, MissingValue.NAN_RIGHT) - hasRule(i, MissingValue.NAN_LEFT);
        if (i + 1 == numeric.length || numeric[i + 1] >> 2 != numeric[i] >> 2) {
          rank++;
          if (gain > maxGain) {
            maxGain = gain;
            best = rank;
          }
        }
      }
      return best;
    }

    /** Returns 1 if a numeric predicate has this rule for missing values, otherwise 0. */
    private int hasRule(int predicate, MissingValue rule) {
      return RULES[(int) numeric[predicate] & 3] == rule ? 1 : 0;
    }

    private static int[] ints(List<Integer> list) {
      return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Collects the patches: corrections of bitmaps for missing values. A patch may write to a copy
     * of a bitmap. Copies get their indexes at the end; until then, {@code ~c} represents copy c.
     */
    private final class Patches {
      private final List<Integer> sources = new ArrayList<>();
      private final List<Integer> targets = new ArrayList<>();
      private final List<MissingValue> rules = new ArrayList<>();
      private int copies;

      /**
       * Chooses bitmaps for the predicates [from, end), which differ only in the rule for missing
       * values.
       *
       * @param source the index of the threshold's bitmap
       * @param plain the rule for missing values that this bitmap follows without a patch
       */
      void pivot(int from, int end, int source, MissingValue plain) {
        boolean taken = false;
        for (int i = from; i < end; i++) {
          taken |= RULES[(int) numeric[i] & 3] == plain;
        }
        for (int i = from; i < end; i++) {
          MissingValue rule = RULES[(int) numeric[i] & 3];
          // The last correction may change the original bitmap, if no predicate needs it unchanged.
          boolean inPlace = rule == plain || (!taken && i == end - 1);
          numbers[i] = inPlace ? source : ~copies;
          if (rule != plain) {
            sources.add(source);
            targets.add(inPlace ? source : ~copies);
            rules.add(rule);
            copies += inPlace ? 0 : 1;
          }
        }
      }

      /** Replaces the placeholder {@code ~c} of each copied bitmap by the bitmap's final index. */
      void shiftCopies(int firstCopy) {
        for (int i = 0; i < numeric.length; i++) {
          numbers[i] = numbers[i] < 0 ? firstCopy + ~numbers[i] : numbers[i];
        }
        targets.replaceAll(target -> target < 0 ? firstCopy + ~target : target);
      }
    }
  }
}
