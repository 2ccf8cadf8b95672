package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the distinct predicates of an ensemble: one bitmap for each, however many splits of
 * however many trees test it.
 *
 * <p>A numeric predicate is a feature, a threshold and a missing rule, a categorical one a feature,
 * a set and a missing rule. First {@link #PredicateTable} collects them, then {@link #number} asks
 * for the number of a split's predicate.
 */
public final class PredicateTable {
  private static final MissingValue[] RULES = MissingValue.values();

  private final Column[] columns;
  private final FeaturePredicates[] features;
  private final int size;

  /**
   * @param maxPredicates how many distinct predicates there may be
   * @throws UnsupportedEnsembleException if there are more
   */
  public PredicateTable(TreeEnsemble ensemble, int maxPredicates, CompileProgress progress) {
    columns = new Column[ensemble.featureNames().size()];
    for (int f = 0; f < columns.length; f++) {
      columns[f] = new Column();
    }
    int collected = 0;
    for (Tree tree : ensemble.trees()) {
      progress.report(collected++, ensemble.trees().size());
      for (int split = 0; split < tree.splits(); split++) {
        columns[tree.feature(split)].collect(tree, split);
      }
    }
    List<FeaturePredicates> used = new ArrayList<>();
    int next = 0;
    for (int f = 0; f < columns.length; f++) {
      if (columns[f].isUsed()) {
        FeaturePredicates feature = columns[f].build(f, next);
        used.add(feature);
        next = feature.end();
      }
    }
    if (next > maxPredicates) {
      throw new UnsupportedEnsembleException(
          "bitsliced: " + next + " distinct predicates, at most " + maxPredicates);
    }
    features = used.toArray(FeaturePredicates[]::new);
    size = next;
  }

  /** Distinct predicates, copies that only serve as a step included. */
  public int size() {
    return size;
  }

  /** The features some split tests, in ascending order. */
  public FeaturePredicates[] features() {
    return features;
  }

  /** Number of a split's predicate. */
  public int number(Tree tree, int split) {
    return columns[tree.feature(split)].number(tree, split);
  }

  /** The predicates of one feature while they are collected and numbered. */
  private static final class Column {
    /** Numeric predicates: {@code threshold key << 2 | rule}, sorted and distinct once built. */
    private long[] numeric = new long[8];

    /** Numbers of the numeric predicates, parallel to {@link #numeric}. */
    private int[] numbers = new int[0];

    private int count;
    private final Map<CategoryClasses.Predicate, Integer> sets = new HashMap<>();
    private final int[] uses = new int[RULES.length];
    private int firstSet;

    boolean isUsed() {
      return count > 0 || !sets.isEmpty();
    }

    void collect(Tree tree, int split) {
      CategorySet set = tree.categories(split);
      if (set != null) {
        sets.putIfAbsent(new CategoryClasses.Predicate(set, tree.missing(split)), sets.size());
        return;
      }
      if (count == numeric.length) {
        sortDistinct();
        numeric = Arrays.copyOf(numeric, Math.max(8, 2 * count));
      }
      numeric[count++] = packed(tree, split);
      uses[tree.missing(split).ordinal()]++;
    }

    private static long packed(Tree tree, int split) {
      return (long) FeaturePredicates.key(tree.threshold(split)) << 2
          | tree.missing(split).ordinal();
    }

    private void sortDistinct() {
      Arrays.sort(numeric, 0, count);
      int distinct = 0;
      for (int i = 0; i < count; i++) {
        if (i == 0 || numeric[i] != numeric[i - 1]) {
          numeric[distinct++] = numeric[i];
        }
      }
      count = distinct;
    }

    int number(Tree tree, int split) {
      CategorySet set = tree.categories(split);
      if (set != null) {
        Integer number = sets.get(new CategoryClasses.Predicate(set, tree.missing(split)));
        return firstSet + (number == null ? 0 : number);
      }
      return numbers[Arrays.binarySearch(numeric, 0, count, packed(tree, split))];
    }

    FeaturePredicates build(int feature, int first) {
      sortDistinct();
      boolean missingRight =
          uses[MissingValue.NAN_RIGHT.ordinal()] > uses[MissingValue.NAN_LEFT.ordinal()];
      MissingValue plain = MissingValue.of(!missingRight, false);
      Patches patches = new Patches();
      numbers = new int[count];
      int[] pivots = new int[count];
      int distinct = 0;
      for (int i = 0; i < count; ) {
        int end = i + 1;
        while (end < count && numeric[end] >> 2 == numeric[i] >> 2) {
          end++;
        }
        pivots[distinct] = (int) (numeric[i] >> 2);
        patches.pivot(i, end, first + distinct, plain);
        distinct++;
        i = end;
      }
      firstSet = first + distinct + patches.copies;
      patches.shiftCopies(first + distinct);
      return new FeaturePredicates(
          feature,
          first,
          firstSet + sets.size(),
          Arrays.copyOf(pivots, distinct),
          missingRight,
          ints(patches.sources),
          ints(patches.targets),
          patches.rules.toArray(MissingValue[]::new),
          sets.isEmpty() ? null : new CategoryClasses(feature, firstSet, orderedSets()));
    }

    private List<CategoryClasses.Predicate> orderedSets() {
      List<CategoryClasses.Predicate> ordered = new ArrayList<>(sets.keySet());
      ordered.sort((a, b) -> Integer.compare(sets.getOrDefault(a, 0), sets.getOrDefault(b, 0)));
      return ordered;
    }

    private static int[] ints(List<Integer> list) {
      return list.stream().mapToInt(Integer::intValue).toArray();
    }

    /** What is to be made of the pivots' bitmaps. A copy's target is ~copy until all are known. */
    private final class Patches {
      private final List<Integer> sources = new ArrayList<>();
      private final List<Integer> targets = new ArrayList<>();
      private final List<MissingValue> rules = new ArrayList<>();
      private int copies;

      /** The predicates [from, end) share a pivot whose bitmap is {@code source}. */
      void pivot(int from, int end, int source, MissingValue plain) {
        boolean taken = false;
        for (int i = from; i < end; i++) {
          taken |= RULES[(int) numeric[i] & 3] == plain;
        }
        for (int i = from; i < end; i++) {
          MissingValue rule = RULES[(int) numeric[i] & 3];
          // The last to be patched may take the pivot's own bitmap if nobody wants it plain.
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

      void shiftCopies(int firstCopy) {
        for (int i = 0; i < count; i++) {
          numbers[i] = numbers[i] < 0 ? firstCopy + ~numbers[i] : numbers[i];
        }
        targets.replaceAll(target -> target < 0 ? firstCopy + ~target : target);
      }
    }
  }
}
