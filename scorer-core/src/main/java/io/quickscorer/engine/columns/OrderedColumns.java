package io.quickscorer.engine.columns;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.CompileProgress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Features as integers, such that every split of every kind is one comparison: left when {@code key
 * <= bound}.
 *
 * <p>A numeric column belongs to a feature and a {@link MissingValue} rule. Its keys are ordered as
 * the floats are; a missing value has the least or the greatest key, so that it goes where the rule
 * sends it, whatever the bound. A categorical column belongs to a feature, a rule and a {@link
 * CategorySet}; its key is 0 for what goes left and 1 for the rest, its bound 0.
 *
 * <p>Key of column c and document d: {@code keys[c * stride + d]}, with the matrix's stride.
 */
public final class OrderedColumns {
  private record Column(int feature, MissingValue rule, @Nullable CategorySet set) {}

  /** Of one column, about. */
  private static final int COLUMN_BYTES = 28;

  private final List<Column> columns;

  private OrderedColumns(List<Column> columns) {
    this.columns = columns;
  }

  /**
   * The columns, and which of them each split compares; that is needed only while trees are laid
   * out.
   *
   * @param ofSplits by tree and split
   */
  public record Assignment(OrderedColumns columns, int[][] ofSplits) {
    public int column(int tree, int split) {
      return ofSplits[tree][split];
    }
  }

  public static Assignment of(TreeEnsemble ensemble, CompileProgress progress) {
    Map<Column, Integer> numbers = new LinkedHashMap<>();
    int[][] ofSplits = new int[ensemble.trees().size()][];
    for (int t = 0; t < ofSplits.length; t++) {
      progress.report(t, ofSplits.length);
      Tree tree = ensemble.trees().get(t);
      ofSplits[t] = new int[tree.splits()];
      for (int split = 0; split < tree.splits(); split++) {
        Column column =
            new Column(tree.feature(split), tree.missing(split), tree.categories(split));
        Integer known = numbers.putIfAbsent(column, numbers.size());
        ofSplits[t][split] = known == null ? numbers.size() - 1 : known;
      }
    }
    return new Assignment(new OrderedColumns(List.copyOf(numbers.keySet())), ofSplits);
  }

  public int count() {
    return columns.size();
  }

  /** Bytes of the columns; their category sets are the ensemble's. */
  public long bytes() {
    return (long) COLUMN_BYTES * columns.size();
  }

  /** The greatest key that goes left. */
  public static int bound(Tree tree, int split) {
    return tree.categories(split) == null ? key(tree.threshold(split)) : 0;
  }

  /** Order-preserving bits of a value that is not NaN; both zeros have the same. */
  private static int key(float value) {
    int bits = Float.floatToRawIntBits(value + 0f);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  /** Writes the keys of documents [from, to). */
  public void fill(FeatureMatrix matrix, int from, int to, int[] keys) {
    for (int c = 0; c < columns.size(); c++) {
      Column column = columns.get(c);
      int at = c * matrix.stride();
      if (column.set == null) {
        fillNumeric(column, matrix, from, to, keys, at);
      } else {
        fillCategorical(column.set, column, matrix, from, to, keys, at);
      }
    }
  }

  private static void fillNumeric(
      Column column, FeatureMatrix matrix, int from, int to, int[] keys, int at) {
    int missing = column.rule.left() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
    // Without the zero rule no |x| is at or below the bound.
    float zero = column.rule.zeroIsMissing() ? MissingValue.ZERO_BOUND : -1;
    float[] values = matrix.values();
    int source = matrix.column(column.feature);
    for (int d = from; d < to; d++) {
      float value = values[source + d];
      boolean absent = Float.isNaN(value) || Math.abs(value) <= zero;
      keys[at + d] = absent ? missing : key(value);
    }
  }

  private static void fillCategorical(
      CategorySet set, Column column, FeatureMatrix matrix, int from, int to, int[] keys, int at) {
    for (int d = from; d < to; d++) {
      float value = matrix.get(d, column.feature);
      boolean left = column.rule.isMissing(value) ? column.rule.left() : set.contains(value);
      keys[at + d] = left ? 0 : 1;
    }
  }
}
