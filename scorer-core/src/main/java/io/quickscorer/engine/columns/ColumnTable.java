package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the columns an ensemble needs, see {@link RankColumns}, and the column, mask and bound of
 * each split.
 */
public final class ColumnTable {
  private static final int MAX_COLUMNS = 1 << 13;

  /** Kinds of splits of a feature: twice whether zero is missing, plus whether missing is right. */
  private static final int KINDS = 4;

  private final Thresholds[] thresholds;
  private final Map<Integer, Sets> sets = new TreeMap<>();
  private final RankColumns columns;

  public ColumnTable(TreeEnsemble ensemble, CompileProgress progress) {
    thresholds = new Thresholds[ensemble.featureNames().size() * KINDS];
    Arrays.setAll(thresholds, i -> new Thresholds());
    int collected = 0;
    for (Tree tree : ensemble.trees()) {
      progress.report(collected++, ensemble.trees().size());
      for (int split = 0; split < tree.splits(); split++) {
        if (tree.categories(split) == null) {
          thresholds(tree, split).add(RankColumns.key(tree.threshold(split)));
        } else {
          sets.computeIfAbsent(tree.feature(split), f -> new Sets()).add(tree, split);
        }
      }
    }
    List<RankColumns.Window> windows = new ArrayList<>();
    for (int zero = 0; zero < thresholds.length; zero += 2) {
      addWindows(zero, windows);
    }
    int count = windows.size();
    List<CategoryClasses> categories = new ArrayList<>();
    for (Map.Entry<Integer, Sets> entry : sets.entrySet()) {
      Sets of = entry.getValue();
      of.firstColumn = count;
      count += Math.ceilDiv(of.numbers.size(), Byte.SIZE);
      categories.add(
          new CategoryClasses(
              entry.getKey(), of.firstColumn * Byte.SIZE, List.copyOf(of.numbers.keySet())));
    }
    if (count > MAX_COLUMNS) {
      throw new UnsupportedEnsembleException(
          "heavypath: "
              + count
              + " columns of 255 thresholds or eight category sets, at most "
              + MAX_COLUMNS);
    }
    columns =
        new RankColumns(
            windows.toArray(RankColumns.Window[]::new),
            categories.toArray(CategoryClasses[]::new),
            count);
  }

  private static int kind(Tree tree, int split) {
    return tree.feature(split) * KINDS
        + (tree.missing(split).zeroIsMissing() ? 2 : 0)
        + (tree.missing(split).left() ? 0 : 1);
  }

  /** Makes one series of windows of two kinds if a rank between them serves both, else two. */
  private void addWindows(int kind, List<RankColumns.Window> windows) {
    Thresholds left = thresholds[kind];
    Thresholds right = thresholds[kind + 1];
    left.sortDistinct();
    right.sortDistinct();
    if (left.count == 0 || right.count == 0 || right.last() < left.first()) {
      int[] both = Arrays.copyOf(right.keys, right.count + left.count);
      System.arraycopy(left.keys, 0, both, right.count, left.count);
      right.firstColumn = windows.size();
      left.firstColumn = windows.size();
      left.offset = right.count;
      addWindows(kind, both, right.count, windows);
    } else {
      left.firstColumn = windows.size();
      addWindows(kind, Arrays.copyOf(left.keys, left.count), 0, windows);
      right.firstColumn = windows.size();
      addWindows(kind, Arrays.copyOf(right.keys, right.count), right.count, windows);
    }
  }

  private static void addWindows(
      int kind, int[] keys, int missingRank, List<RankColumns.Window> windows) {
    for (int from = 0; from < keys.length; from += RankColumns.MAX_THRESHOLDS) {
      int[] window =
          Arrays.copyOfRange(keys, from, Math.min(keys.length, from + RankColumns.MAX_THRESHOLDS));
      windows.add(
          new RankColumns.Window(
              kind / KINDS,
              (kind & 2) != 0,
              Math.clamp(missingRank - from, 0, window.length),
              window));
    }
  }

  public RankColumns columns() {
    return columns;
  }

  /** The column a split compares. */
  public int column(Tree tree, int split) {
    Sets of = sets(tree, split);
    return of == null
        ? thresholds(tree, split).firstColumn + place(tree, split) / RankColumns.MAX_THRESHOLDS
        : of.firstColumn + of.number(tree, split) / Byte.SIZE;
  }

  /** The least masked rank that goes right. */
  public int bound(Tree tree, int split) {
    return sets(tree, split) == null ? place(tree, split) % RankColumns.MAX_THRESHOLDS + 1 : 1;
  }

  /** The bits of the rank that count. */
  public int mask(Tree tree, int split) {
    Sets of = sets(tree, split);
    return of == null ? 0xFF : 1 << of.number(tree, split) % Byte.SIZE;
  }

  /** Null at a numeric split. */
  private @Nullable Sets sets(Tree tree, int split) {
    return tree.categories(split) == null ? null : sets.get(tree.feature(split));
  }

  private Thresholds thresholds(Tree tree, int split) {
    return thresholds[kind(tree, split)];
  }

  private int place(Tree tree, int split) {
    return thresholds(tree, split).place(tree.threshold(split));
  }

  /** The categorical predicates of a feature. */
  private static final class Sets {
    private final Map<CategoryClasses.Predicate, Integer> numbers = new LinkedHashMap<>();
    private int firstColumn;

    private static CategoryClasses.Predicate predicate(Tree tree, int split) {
      CategorySet set = tree.categories(split);
      return new CategoryClasses.Predicate(
          set == null ? CategorySet.EMPTY : set, tree.missing(split));
    }

    void add(Tree tree, int split) {
      numbers.putIfAbsent(predicate(tree, split), numbers.size());
    }

    int number(Tree tree, int split) {
      return numbers.getOrDefault(predicate(tree, split), 0);
    }
  }

  /** The thresholds of a feature's splits of one kind. */
  private static final class Thresholds {
    private int[] keys = new int[8];
    private int count;

    /** The first of the windows. */
    private int firstColumn;

    /** Thresholds in the windows that precede these. */
    private int offset;

    void add(int key) {
      if (count == keys.length) {
        sortDistinct();
        keys = Arrays.copyOf(keys, Math.max(keys.length, 2 * count));
      }
      keys[count++] = key;
    }

    void sortDistinct() {
      Arrays.sort(keys, 0, count);
      int distinct = 0;
      for (int i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
          keys[distinct++] = keys[i];
        }
      }
      count = distinct;
    }

    int first() {
      return keys[0];
    }

    int last() {
      return keys[count - 1];
    }

    /** Place of a threshold in the series of windows. */
    int place(float threshold) {
      return offset + Arrays.binarySearch(keys, 0, count, RankColumns.key(threshold));
    }
  }
}
