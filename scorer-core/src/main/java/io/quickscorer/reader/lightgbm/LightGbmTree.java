// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.lightgbm;

import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.lightgbm.LightGbmTreeFields.Field;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads one tree of a LightGBM text file: first finds the positions of all fields, then reads their
 * values. Split s of the file becomes node s, and leaf k becomes node {@code splits + k}. {@link
 * LightGbmOldTree} builds trees of versions before 2.0.5.
 */
final class LightGbmTree {
  private static final int CATEGORICAL = 1;
  private static final int DEFAULT_LEFT = 2;
  private static final int MISSING_SHIFT = 2;
  private static final int MISSING_ZERO = 1;
  private static final int MISSING_NAN = 2;
  private static final int MAX_DECISION_TYPE =
      CATEGORICAL | DEFAULT_LEFT | MISSING_NAN << MISSING_SHIFT;

  /**
   * Number of nodes that may be copied for every file, however small it is. Only trees of old
   * LightGBM versions need copies.
   */
  private static final int FREE_COPIES = 1 << 14;

  /** Number of bytes of the file that add one copied node to the limit {@link #FREE_COPIES}. */
  private static final int BYTES_PER_COPY = 8;

  private final EnsembleLimits limits;
  private final Map<Integer, CategorySet> singleCategories = new HashMap<>();
  private int copiesLeft;
  private boolean old;
  private final LightGbmTreeFields fields;
  private int number;
  private int offset;

  LightGbmTree(BoundedInput input, EnsembleLimits limits) {
    this.fields = new LightGbmTreeFields(input);
    this.limits = limits;
    this.copiesLeft = FREE_COPIES + input.length() / BYTES_PER_COPY;
  }

  /** Returns whether a tree lacked {@code num_cat}, as in files of LightGBM before 2.0.5. */
  boolean hasOldTrees() {
    return old;
  }

  /** Starts the next tree, whose first line is at byte offset {@code offset}. */
  void start(int number, int offset) {
    this.number = number;
    this.offset = offset;
    fields.start(number, offset);
  }

  /** Records where the value of a line's field is in the file, if the field is known. */
  void note(LightGbmLines line) {
    fields.note(line);
  }

  Tree build(TreeBuilder builder) {
    // Limited so that an int can count the nodes, which are twice as many.
    int leaves = fields.one(Field.NUM_LEAVES, 1, 1, Integer.MAX_VALUE / 2);
    limits.check("tree " + number + ": leaves", leaves, Limit.LEAVES, offset);
    boolean linear = fields.one(Field.IS_LINEAR, 0, 0, 1) != 0;
    double[] values = fields.doubles(Field.LEAF_VALUE, leaves);
    old |= !fields.has(Field.NUM_CAT);
    try {
      if (isOld(leaves - 1)) {
        return buildOld(builder, leaves - 1, values);
      }
      builder.start(number, 2 * leaves - 1);
      for (int leaf = 0; leaf < leaves; leaf++) {
        builder.leaf(leaves - 1 + leaf, values[leaf]);
      }
      if (linear) {
        declareFunctions(builder, leaves);
      }
      if (leaves > 1) {
        declareSplits(builder, leaves - 1);
        noteStatistics(builder, leaves - 1);
      }
      return builder.build(0);
    } catch (InvalidModelException e) {
      throw e.orAt(offset);
    }
  }

  /** Returns whether the tree treats zeros or categories as LightGBM before 2.0.5 does. */
  private boolean isOld(int splits) {
    if (fields.has(Field.NUM_CAT)) {
      return false;
    }
    if (fields.has(Field.DEFAULT_VALUE) || fields.has(Field.HAS_CATEGORICAL)) {
      return true;
    }
    if (splits == 0) {
      return false;
    }
    int largest = 0;
    for (int type : fields.ints(Field.DECISION_TYPE, splits, 0, MAX_DECISION_TYPE)) {
      largest = Math.max(largest, type);
    }
    return largest == CATEGORICAL;
  }

  /** Returns a tree of LightGBM before 2.0.5. The value of a tree of one leaf is replaced by 0. */
  private Tree buildOld(TreeBuilder builder, int splits, double[] values) {
    if (splits == 0) {
      builder.start(number, 1);
      builder.leaf(0, 0);
      return builder.build(0);
    }
    LightGbmOldTree.Splits old =
        new LightGbmOldTree.Splits(
            fields.ints(Field.SPLIT_FEATURE, splits, 0, Integer.MAX_VALUE),
            fields.doubles(Field.THRESHOLD, splits),
            oldCategorical(splits),
            fields.has(Field.DEFAULT_VALUE)
                ? fields.doubles(Field.DEFAULT_VALUE, splits)
                : new double[splits],
            fields.ints(Field.LEFT_CHILD, splits, -splits - 1, splits - 1),
            fields.ints(Field.RIGHT_CHILD, splits, -splits - 1, splits - 1));
    LightGbmOldTree tree = new LightGbmOldTree(old, values, copiesLeft + 2 * splits + 1);
    Tree built =
        tree.build(builder, number, split -> singleCategory(split, old.thresholds()[split]));
    copiesLeft -= tree.size() - (2 * splits + 1);
    return built;
  }

  private BitSet oldCategorical(int splits) {
    BitSet categorical = new BitSet();
    int[] types = fields.ints(Field.DECISION_TYPE, splits, 0, CATEGORICAL);
    for (int split = 0; split < splits; split++) {
      categorical.set(split, types[split] == CATEGORICAL);
    }
    return fields.one(Field.HAS_CATEGORICAL, 1, 0, 1) == 0 ? new BitSet() : categorical;
  }

  private CategorySet singleCategory(int split, double threshold) {
    String place = "tree " + number + ", node " + split + ": category";
    if (!(threshold >= 0) || threshold > Integer.MAX_VALUE) {
      throw new InvalidModelException(
          place + " " + threshold + ", expected a number from 0 to " + Integer.MAX_VALUE);
    }
    int category = (int) threshold;
    limits.check(place, category, Limit.CATEGORY);
    return singleCategories.computeIfAbsent(
        category, one -> CategorySet.of(new int[] {one}, CategorySet.Rounding.TOWARD_ZERO));
  }

  private void declareSplits(TreeBuilder builder, int splits) {
    int[] features = fields.ints(Field.SPLIT_FEATURE, splits, 0, Integer.MAX_VALUE);
    double[] thresholds = fields.doubles(Field.THRESHOLD, splits);
    int[] types = fields.ints(Field.DECISION_TYPE, splits, 0, MAX_DECISION_TYPE);
    int[] left = fields.ints(Field.LEFT_CHILD, splits, -splits - 1, splits - 1);
    int[] right = fields.ints(Field.RIGHT_CHILD, splits, -splits - 1, splits - 1);
    CategorySet[] sets = categorySets();
    boolean[] taken = new boolean[sets.length];
    for (int split = 0; split < splits; split++) {
      int leftNode = left[split] >= 0 ? left[split] : splits + ~left[split];
      int rightNode = right[split] >= 0 ? right[split] : splits + ~right[split];
      if ((types[split] & CATEGORICAL) != 0) {
        CategorySet set = sets[setNumber(split, thresholds[split], taken)];
        // For every missing type, NaN is not in the set and goes right.
        builder.split(split, features[split], set, MissingValue.NAN_RIGHT, leftNode, rightNode);
      } else {
        builder.split(
            split,
            features[split],
            Thresholds.lessOrEqualZeroed(thresholds[split]),
            missing(split, types[split], thresholds[split]),
            leftNode,
            rightNode);
      }
    }
  }

  /**
   * Passes the linear functions of the leaves to the builder. The file lists the number of terms of
   * each leaf, and the terms of all leaves.
   */
  private void declareFunctions(TreeBuilder builder, int leaves) {
    double[] constants = fields.doubles(Field.LEAF_CONST, leaves);
    int[] counts = fields.ints(Field.NUM_FEATURES, leaves, 0, Integer.MAX_VALUE);
    long terms = 0;
    for (int count : counts) {
      terms += count;
    }
    fields.checkRoom(Field.LEAF_FEATURES, terms);
    int[] features = fields.ints(Field.LEAF_FEATURES, (int) terms, 0, Integer.MAX_VALUE);
    double[] coefficients = fields.doubles(Field.LEAF_COEFF, (int) terms);
    int first = 0;
    for (int leaf = 0; leaf < leaves; leaf++) {
      int end = first + counts[leaf];
      builder.linearLeaf(
          leaves - 1 + leaf,
          constants[leaf],
          Arrays.copyOfRange(features, first, end),
          Arrays.copyOfRange(coefficients, first, end));
      first = end;
    }
  }

  /** Passes gains and covers (numbers of training rows per node) to the builder. */
  private void noteStatistics(TreeBuilder builder, int splits) {
    double[] gains = fields.optionalDoubles(Field.SPLIT_GAIN, splits);
    for (int split = 0; split < gains.length; split++) {
      builder.gain(split, (float) gains[split]);
    }
    double[] inside = fields.optionalDoubles(Field.INTERNAL_COUNT, splits);
    for (int split = 0; split < inside.length; split++) {
      builder.cover(split, inside[split]);
    }
    double[] ends = fields.optionalDoubles(Field.LEAF_COUNT, splits + 1);
    for (int leaf = 0; leaf < ends.length; leaf++) {
      builder.cover(splits + leaf, ends[leaf]);
    }
  }

  private MissingValue missing(int split, int type, double threshold) {
    boolean left = (type & DEFAULT_LEFT) != 0;
    return switch (type >> MISSING_SHIFT) {
      // With missing type None, NaN is treated as 0.
      case 0 -> MissingValue.of(0 <= threshold, false);
      case MISSING_ZERO -> MissingValue.of(left, true);
      case MISSING_NAN -> MissingValue.of(left, false);
      default ->
          throw fields.failure(
              Field.DECISION_TYPE, offset, "node " + split + ": unknown missing type");
    };
  }

  private int setNumber(int split, double threshold, boolean[] taken) {
    int number = (int) threshold;
    boolean exists = threshold >= 0 && threshold < taken.length && threshold == number;
    // Otherwise, many splits could use the same set of the file, and copies of it would need far
    // more memory than the file.
    if (!exists || taken[number]) {
      throw fields.failure(
          Field.THRESHOLD,
          fields.start(Field.THRESHOLD),
          "node "
              + split
              + ": set of categories "
              + threshold
              + (exists
                  ? " also belongs to another node"
                  : ", but there are " + taken.length + " sets"));
    }
    taken[number] = true;
    return number;
  }

  /**
   * Returns the sets of the tree's categorical splits, which the file contains as bitmaps of 32-bit
   * words.
   */
  private CategorySet[] categorySets() {
    int count = fields.one(Field.NUM_CAT, 0, 0, limits.maxNodes());
    if (count == 0) {
      return new CategorySet[0];
    }
    fields.checkRoom(Field.CAT_BOUNDARIES, count + 1L);
    int[] boundaries = fields.ints(Field.CAT_BOUNDARIES, count + 1, 0, Integer.MAX_VALUE);
    for (int i = 0; i <= count; i++) {
      if (i == 0 ? boundaries[0] != 0 : boundaries[i] < boundaries[i - 1]) {
        throw fields.failure(
            Field.CAT_BOUNDARIES,
            fields.start(Field.CAT_BOUNDARIES),
            "the numbers must start with 0 and must not decrease");
      }
    }
    int[] words = fields.words(boundaries[count]);
    CategorySet[] sets = new CategorySet[count];
    for (int i = 0; i < count; i++) {
      int from = boundaries[i];
      int to = boundaries[i + 1];
      long[] bitmap = new long[(to - from + 1) / 2];
      for (int w = from; w < to; w++) {
        bitmap[(w - from) / 2] |= (words[w] & 0xffff_ffffL) << 32 * ((w - from) & 1);
      }
      sets[i] = CategorySet.ofBitmap(bitmap, CategorySet.Rounding.TOWARD_ZERO);
    }
    return sets;
  }
}
