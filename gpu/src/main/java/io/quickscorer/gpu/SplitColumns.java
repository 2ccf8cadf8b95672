package io.quickscorer.gpu;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The columns of an ensemble. A column is a feature, the rule for its missing values and, for
 * categorical splits, the set of categories; all splits that agree in these see a value as one
 * rank.
 *
 * <p>A value's rank in a numeric column is how many of the column's thresholds lie below it, so a
 * split at the j-th of the ascending thresholds sends the value left when rank &lt;= j. A missing
 * value's rank is 0 where it goes left and the number of thresholds where it goes right; a
 * category's rank is 0 for members and 1 for others. Thresholds of a numeric column are distinct; a
 * column with more of them than allowed is cut in pieces, each of which decides its own splits.
 */
final class SplitColumns {
  /** Bytes of a column on the device, {@code struct Column} in columns.cuh. */
  static final int COLUMN_BYTES = 24;

  private static final int CATEGORICAL = 4;
  private static final int TOWARD_ZERO = 8;

  /**
   * @param row index of the feature among the used ones
   * @param thresholds ascending; one placeholder in a categorical column
   */
  record Column(int row, MissingValue rule, @Nullable CategorySet set, float[] thresholds) {}

  private record CategoryKey(int feature, MissingValue rule, CategorySet set) {}

  private final int maxThresholds;
  private final int[] features;
  private final int[] rows;
  private final float[][] thresholds;
  private final int[] firstColumn;
  private final Map<CategoryKey, Integer> categoryColumns = new HashMap<>();
  private final List<Column> columns = new ArrayList<>();

  /**
   * @param featureCount features of the model
   * @param maxThresholds most thresholds of one column, 1 or more
   */
  SplitColumns(List<Tree> trees, int featureCount, int maxThresholds, CompileProgress progress) {
    this.maxThresholds = maxThresholds;
    this.thresholds = distinctThresholds(trees, featureCount, progress.part(0, 0.6));
    this.rows = new int[featureCount];
    this.features = usedFeatures(trees, rows, progress.part(0.6, 0.8));
    this.firstColumn = new int[thresholds.length];
    for (int key = 0; key < thresholds.length; key++) {
      firstColumn[key] = columns.size();
      for (int from = 0; from < thresholds[key].length; from += maxThresholds) {
        int to = Math.min(from + maxThresholds, thresholds[key].length);
        columns.add(
            new Column(
                rows[key / RULES], rule(key), null, Arrays.copyOfRange(thresholds[key], from, to)));
      }
    }
    CompileProgress collecting = progress.part(0.8, 1);
    for (int t = 0; t < trees.size(); t++) {
      collecting.report(t, trees.size());
      Tree tree = trees.get(t);
      for (int split = 0; split < tree.splits(); split++) {
        CategorySet set = tree.categories(split);
        if (set != null) {
          addCategorical(new CategoryKey(tree.feature(split), tree.missing(split), set));
        }
      }
    }
  }

  private static final int RULES = MissingValue.values().length;

  private static MissingValue rule(int key) {
    return MissingValue.values()[key % RULES];
  }

  private static int key(Tree tree, int split) {
    return tree.feature(split) * RULES + tree.missing(split).ordinal();
  }

  private static float[][] distinctThresholds(
      List<Tree> trees, int featureCount, CompileProgress progress) {
    int[] counts = new int[featureCount * RULES];
    int passed = 0;
    for (Tree tree : trees) {
      progress.report(passed++, 2L * trees.size());
      for (int split = 0; split < tree.splits(); split++) {
        counts[key(tree, split)] += tree.categories(split) == null ? 1 : 0;
      }
    }
    float[][] all = new float[counts.length][];
    for (int key = 0; key < all.length; key++) {
      all[key] = new float[counts[key]];
    }
    for (Tree tree : trees) {
      progress.report(passed++, 2L * trees.size());
      for (int split = 0; split < tree.splits(); split++) {
        if (tree.categories(split) == null) {
          int key = key(tree, split);
          all[key][--counts[key]] = tree.threshold(split);
        }
      }
    }
    for (int key = 0; key < all.length; key++) {
      all[key] = distinct(all[key]);
    }
    return all;
  }

  private static float[] distinct(float[] values) {
    Arrays.sort(values);
    int count = 0;
    for (float value : values) {
      if (count == 0 || values[count - 1] != value) {
        values[count++] = value;
      }
    }
    return Arrays.copyOf(values, count);
  }

  /** Features some split tests, ascending; rows receives each one's place. */
  private static int[] usedFeatures(List<Tree> trees, int[] rows, CompileProgress progress) {
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      Tree tree = trees.get(t);
      for (int split = 0; split < tree.splits(); split++) {
        rows[tree.feature(split)] = 1;
      }
    }
    int[] used = new int[rows.length];
    int count = 0;
    for (int feature = 0; feature < rows.length; feature++) {
      if (rows[feature] != 0) {
        rows[feature] = count;
        used[count++] = feature;
      }
    }
    return Arrays.copyOf(used, count);
  }

  private void addCategorical(CategoryKey key) {
    if (!categoryColumns.containsKey(key)) {
      categoryColumns.put(key, columns.size());
      columns.add(new Column(rows[key.feature], key.rule, key.set, new float[1]));
    }
  }

  List<Column> columns() {
    return columns;
  }

  /** The features whose values a batch carries, in the order of its rows. */
  int[] features() {
    return features;
  }

  /** The column that decides a split. */
  int column(Tree tree, int split) {
    CategorySet set = tree.categories(split);
    if (set != null) {
      CategoryKey key = new CategoryKey(tree.feature(split), tree.missing(split), set);
      return categoryColumns.getOrDefault(key, -1);
    }
    return firstColumn[key(tree, split)] + place(tree, split) / maxThresholds;
  }

  /** Which of its column's thresholds a split has. */
  int threshold(Tree tree, int split) {
    return tree.categories(split) == null ? place(tree, split) % maxThresholds : 0;
  }

  private int place(Tree tree, int split) {
    return Arrays.binarySearch(thresholds[key(tree, split)], tree.threshold(split));
  }

  /** The device's form of columns whose thresholds and bitmaps are concatenated in their order. */
  static ByteBuffer pack(List<Column> columns) {
    ByteBuffer packed = direct((long) columns.size() * COLUMN_BYTES);
    int begin = 0;
    int setBegin = 0;
    for (Column column : columns) {
      int setWords = column.set == null ? 0 : 2 * column.set.toBitmap().length;
      packed.putInt(column.row).putInt(ruleBits(column));
      packed.putInt(begin).putInt(column.thresholds.length);
      packed.putInt(setBegin).putInt(setWords);
      begin = Math.addExact(begin, column.thresholds.length);
      setBegin = Math.addExact(setBegin, setWords);
    }
    return packed.flip();
  }

  private static int ruleBits(Column column) {
    int bits = (column.rule.left() ? 1 : 0) | (column.rule.zeroIsMissing() ? 2 : 0);
    if (column.set != null) {
      bits |= CATEGORICAL;
      bits |= column.set.rounding() == CategorySet.Rounding.TOWARD_ZERO ? TOWARD_ZERO : 0;
    }
    return bits;
  }

  static ByteBuffer packThresholds(List<Column> columns) {
    long count = 0;
    for (Column column : columns) {
      count += column.thresholds.length;
    }
    ByteBuffer packed = direct(count * Float.BYTES);
    for (Column column : columns) {
      for (float threshold : column.thresholds) {
        packed.putFloat(threshold);
      }
    }
    return packed.flip();
  }

  static ByteBuffer packSets(List<Column> columns) {
    long count = 0;
    for (Column column : columns) {
      count += column.set == null ? 0 : column.set.toBitmap().length;
    }
    ByteBuffer packed = direct(count * Long.BYTES);
    for (Column column : columns) {
      if (column.set != null) {
        // On the device these are 32-bit words; the lower half of each long comes first.
        for (long word : column.set.toBitmap()) {
          packed.putInt((int) word).putInt((int) (word >>> 32));
        }
      }
    }
    return packed.flip();
  }

  /**
   * A direct buffer in native order.
   *
   * @throws UnsupportedEnsembleException if it would be larger than a buffer can be
   */
  static ByteBuffer direct(long bytes) {
    if (bytes > Integer.MAX_VALUE) {
      throw new UnsupportedEnsembleException(
          "gpu: an array of the model takes " + bytes + " bytes, at most " + Integer.MAX_VALUE);
    }
    return ByteBuffer.allocateDirect((int) bytes).order(ByteOrder.nativeOrder());
  }
}
