// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.input.IntList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Builds an ensemble from CatBoost's trees, for all formats of CatBoost.
 *
 * <p>A split has a feature and a value, which are encoded as ints. If the split's test is true, the
 * document goes right. There are three kinds of splits:
 *
 * <ul>
 *   <li>float feature: the feature is its number among float features. The value is the bits of a
 *       border. The test is {@code x > border} in float;
 *   <li>categorical feature: the feature is {@code ~number}. The value is the hash of a category.
 *       The test is whether x is this category, see {@link CatBoostCategories};
 *   <li>target statistic: the feature is {@link #CTR}. The value is the number of a split in {@link
 *       CatBoostCtrs}. The test is whether the statistic is above the split's border.
 * </ul>
 *
 * <p>CatBoost sums in double, in the order of the file; the score is {@code scale * sum + bias}.
 */
final class CatBoostTrees {
  /** Maximum depth of an oblivious tree in CatBoost. */
  static final int MAX_DEPTH = 16;

  /**
   * The number that a split on a target statistic (CTR) has in place of a feature. {@link
   * CatBoostTrees} describes the value of such a split.
   */
  static final int CTR = Integer.MAX_VALUE;

  /** A tree of CatBoost, oblivious or not. */
  sealed interface CatBoostTree {
    long offset();

    /** Returns the feature of each split, encoded as {@link CatBoostTrees} describes. */
    int[] features();

    /** Returns the value in each split's test, encoded as {@link CatBoostTrees} describes. */
    int[] values();

    int leafCount();
  }

  /**
   * An oblivious tree, in which all splits of a level are equal. Bit i of the number of the leaf
   * that a document reaches is 1 if the test of level i is true, otherwise 0.
   *
   * @param offset the byte offset in the file
   * @param features the feature of each level's split
   * @param values the value of each level's split
   * @param leaves the value of each leaf
   */
  record Oblivious(long offset, int[] features, int[] values, double[] leaves)
      implements CatBoostTree {
    @Override
    public int leafCount() {
      return leaves.length;
    }
  }

  /**
   * A tree that is not oblivious ({@code grow_policy} Depthwise or Lossguide). Node 0 is the root.
   *
   * @param offset the byte offset in the file
   * @param features the feature of each node's split; undefined for a leaf
   * @param values the value of each node's split; undefined for a leaf
   * @param left the left child of each node, or -1 if the node is a leaf
   * @param right the right child of each node; undefined for a leaf
   * @param leaves the value of each node that is a leaf
   */
  record NonSymmetric(
      long offset, int[] features, int[] values, int[] left, int[] right, double[] leaves)
      implements CatBoostTree {
    @Override
    public int leafCount() {
      return (leaves.length + 1) / 2;
    }
  }

  private final EnsembleLimits limits;
  private final long fileBytes;
  private final CatBoostFeatures features;
  private final CatBoostCtrs ctrs;
  private final Deque<CatBoostTree> trees = new ArrayDeque<>();
  private long leaves;

  /**
   * Creates a builder without trees.
   *
   * @param features the features; more may be added until {@link #build} is called
   * @param ctrs the target statistics; more may be added until {@link #build} is called
   * @param fileBytes the size of the file in bytes
   */
  CatBoostTrees(
      CatBoostFeatures features, CatBoostCtrs ctrs, EnsembleLimits limits, long fileBytes) {
    this.features = features;
    this.ctrs = ctrs;
    this.limits = limits;
    this.fileBytes = fileBytes;
  }

  int size() {
    return trees.size();
  }

  void add(CatBoostTree tree) {
    limits.check("trees", trees.size() + 1L, Limit.TREES, tree.offset());
    leaves += tree.leafCount();
    long nodes = 2 * leaves - trees.size() - 1;
    limits.check("nodes of all trees", nodes, Limit.NODES, tree.offset());
    trees.add(tree);
  }

  /**
   * Returns the ensemble of all trees that were added.
   *
   * @param firstCtr the index of the first split on a CTR (target statistic)
   */
  TreeEnsemble build(ModelSource source, double scale, double bias, int firstCtr) {
    List<String> names = features.names();
    Map<Integer, CategoryCodes> codes = features.codes();
    TreeEnsemble.Builder ensemble = TreeEnsemble.builder(names, noted(source, codes.isEmpty()));
    ensemble.categories(features.lists());
    CatBoostCategories categories = categories(codes);
    DerivedColumns derived = ctrs.columns(features, codes, fileBytes);
    int columns = names.size();
    if (derived != null) {
      ensemble.derived(derived);
      columns += derived.size();
    }
    TreeBuilder builder = new TreeBuilder(limits, columns, false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      // Each tree is removed from the queue before it is built, so that memory never contains both
      // forms of all trees.
      CatBoostTree tree = trees.remove();
      Splits splits =
          new Splits(
              tree, built.size(), builder, features, categories, ctrs, names.size(), firstCtr);
      try {
        built.add(
            switch (tree) {
              case Oblivious oblivious -> build(oblivious, splits);
              case NonSymmetric other -> build(other, splits);
            });
      } catch (InvalidModelException e) {
        throw e.at(tree.offset());
      }
    }
    return ensemble.trees(built).accumulator(Accumulator.DOUBLE).scaleAndBias(scale, bias).build();
  }

  /**
   * Returns {@code source}, with a note for the user if the model has CTRs (target statistics). The
   * file does not show whether training used numbers or texts as categories.
   *
   * @param digits whether the caller gave no category texts; if false, no note is added
   */
  private ModelSource noted(ModelSource source, boolean digits) {
    if (ctrs.size() == 0 || !digits) {
      return source;
    }
    List<String> notes = new ArrayList<>(source.notes());
    notes.add(
        "target statistics of categories (CTRs): the text of a category is the decimal digits of an"
            + " integer; if the model was trained with texts, give the texts by the option"
            + " categories");
    return new ModelSource(source.format(), source.version(), source.objective(), notes);
  }

  /** Returns the categories whose hashes occur in splits on categorical features. */
  private CatBoostCategories categories(Map<Integer, CategoryCodes> codes) {
    IntList hashes = new IntList();
    for (CatBoostTree tree : trees) {
      for (int split = 0; split < tree.features().length; split++) {
        int feature = tree.features()[split];
        if (feature < 0 && !codes.containsKey(features.column(feature))) {
          hashes.add(tree.values()[split]);
        }
      }
    }
    try {
      return new CatBoostCategories(hashes.toArray(), codes, limits);
    } catch (InvalidModelException e) {
      throw e.at(trees.element().offset());
    }
  }

  /**
   * Returns a binary tree that is equivalent to an oblivious tree. The last split becomes the root,
   * so that the leaves are in order.
   */
  private static Tree build(Oblivious tree, Splits to) {
    int depth = tree.features.length;
    int splits = (1 << depth) - 1;
    to.builder.start(to.number, 2 * splits + 1);
    for (int node = 0; node < splits; node++) {
      int level = 31 - Integer.numberOfLeadingZeros(node + 1);
      to.split(node, depth - 1 - level, 2 * node + 1, 2 * node + 2);
    }
    for (int leaf = 0; leaf <= splits; leaf++) {
      to.builder.leaf(splits + leaf, tree.leaves[leaf]);
    }
    return to.builder.build(0);
  }

  private static Tree build(NonSymmetric tree, Splits to) {
    to.builder.start(to.number, tree.leaves.length);
    for (int node = 0; node < tree.leaves.length; node++) {
      if (tree.left[node] < 0) {
        to.builder.leaf(node, tree.leaves[node]);
      } else {
        to.split(node, node, tree.left[node], tree.right[node]);
      }
    }
    return to.builder.build(0);
  }

  /** Adds the splits of one tree to a builder. */
  private record Splits(
      CatBoostTree tree,
      int number,
      TreeBuilder builder,
      CatBoostFeatures features,
      CatBoostCategories categories,
      CatBoostCtrs ctrs,
      int columns,
      int firstCtr) {

    void split(int node, int split, int left, int right) {
      int feature = tree.features()[split];
      int value = tree.values()[split];
      if (feature == CTR) {
        int ctrSplit = value - firstCtr;
        if (ctrSplit < 0 || ctrSplit >= ctrs.splits()) {
          throw new InvalidModelException(
              "tree "
                  + number
                  + ", node "
                  + node
                  + ": split "
                  + value
                  + " is on a CTR, but the file has "
                  + ctrs.splits()
                  + " splits on CTRs, whose numbers begin at "
                  + firstCtr);
        }
        float bound = Thresholds.lessOrEqual(ctrs.border(ctrSplit));
        // NaN is not above any border, so it goes left.
        int column = columns + ctrs.ctr(ctrSplit);
        builder.split(node, column, bound, MissingValue.NAN_LEFT, left, right);
        return;
      }
      int column = at(node, () -> features.column(feature));
      if (feature >= 0) {
        float bound = Thresholds.lessOrEqual(Float.intBitsToFloat(value));
        boolean nanLeft = !features.nanIsLargest(feature);
        builder.split(node, column, bound, MissingValue.of(nanLeft, false), left, right);
      } else {
        // The children are exchanged, because in CatBoost values in the set go right. NaN, which is
        // no category, goes left.
        CategorySet set = at(node, () -> categories.of(column, value));
        builder.split(node, column, set, MissingValue.NAN_RIGHT, right, left);
      }
    }

    private <T> T at(int node, Supplier<T> read) {
      try {
        return read.get();
      } catch (InvalidModelException e) {
        throw e.in("tree " + number + ", node " + node);
      }
    }
  }
}
