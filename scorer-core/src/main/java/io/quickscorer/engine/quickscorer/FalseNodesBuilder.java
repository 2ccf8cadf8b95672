// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.engine.columns.LeafRange;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.CompileProgress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Sorts the splits of a block of trees into the lists of {@link FalseNodes}. */
final class FalseNodesBuilder {
  /**
   * A split, and one word of the mask that it applies to the bitvector of its tree. In the mask,
   * the leaves below the left child are 0.
   */
  private record Node(Tree tree, int split, int word, long mask) {
    float threshold() {
      return tree.threshold(split);
    }

    boolean missingGoesRight() {
      return !tree.missing(split).left();
    }
  }

  private static final class Column {
    final List<Node> numeric = new ArrayList<>();
    final List<Node> missing = new ArrayList<>();
    final List<Node> categorical = new ArrayList<>();
  }

  private final List<Tree> trees;
  private final int bitsPerWord;
  private final int[] firstWords;

  /** The columns by number: twice the feature's number, plus 1 if zero counts as missing. */
  private final TreeMap<Integer, Column> columns = new TreeMap<>();

  FalseNodesBuilder(List<Tree> trees, int bitsPerWord) {
    this.trees = trees;
    this.bitsPerWord = bitsPerWord;
    this.firstWords = new int[trees.size() + 1];
    for (int t = 0; t < trees.size(); t++) {
      firstWords[t + 1] = firstWords[t] + Math.ceilDiv(trees.get(t).leaves(), bitsPerWord);
    }
  }

  FalseNodes build(CompileProgress progress) {
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      addSplits(t);
    }
    int count = columns.size();
    int[] features = new int[count];
    boolean[] zeroIsMissing = new boolean[count];
    List<List<Node>> numeric = new ArrayList<>();
    List<List<Node>> missing = new ArrayList<>();
    List<List<Node>> categorical = new ArrayList<>();
    columns.forEach(
        (key, column) -> {
          int c = numeric.size();
          features[c] = key >> 1;
          zeroIsMissing[c] = (key & 1) != 0;
          // The sort is stable, so equal thresholds stay in tree order.
          column.numeric.sort(Comparator.comparingDouble(Node::threshold));
          numeric.add(column.numeric);
          missing.add(column.missing);
          categorical.add(column.categorical);
        });
    return new FalseNodes(
        firstWords,
        features,
        zeroIsMissing,
        lists(numeric, 1),
        thresholds(numeric),
        lists(missing, 0),
        lists(categorical, 0),
        sets(categorical),
        leafStarts(),
        leafValues());
  }

  private void addSplits(int t) {
    Tree tree = trees.get(t);
    LeafRange[] left = LeafRange.leftOf(tree);
    for (int split = 0; split < tree.splits(); split++) {
      int zero = tree.missing(split).zeroIsMissing() ? 1 : 0;
      Column column = columns.computeIfAbsent(2 * tree.feature(split) + zero, key -> new Column());
      for (int w = left[split].firstWord(bitsPerWord); w < left[split].endWord(bitsPerWord); w++) {
        long mask = left[split].clearing(w, bitsPerWord);
        Node node = new Node(tree, split, firstWords[t] + w, mask);
        (tree.categories(split) == null ? column.numeric : column.categorical).add(node);
        if (node.missingGoesRight()) {
          column.missing.add(node);
        }
      }
    }
  }

  /**
   * Joins the lists of all columns. Each column's list ends with {@code sentinels} entries that
   * clear no leaf.
   */
  private static FalseNodes.Lists lists(List<List<Node>> all, int sentinels) {
    int length = all.stream().mapToInt(list -> list.size() + sentinels).sum();
    int[] starts = new int[all.size() + 1];
    int[] words = new int[length];
    long[] masks = new long[length];
    int at = 0;
    for (int c = 0; c < all.size(); c++) {
      starts[c] = at;
      for (Node node : all.get(c)) {
        words[at] = node.word;
        masks[at++] = node.mask;
      }
      for (int i = 0; i < sentinels; i++) {
        masks[at++] = -1L;
      }
    }
    starts[all.size()] = at;
    return new FalseNodes.Lists(starts, words, masks);
  }

  private static float[] thresholds(List<List<Node>> numeric) {
    float[] thresholds = new float[numeric.stream().mapToInt(list -> list.size() + 1).sum()];
    int at = 0;
    for (List<Node> list : numeric) {
      for (Node node : list) {
        thresholds[at++] = node.threshold();
      }
      thresholds[at++] = Float.POSITIVE_INFINITY;
    }
    return thresholds;
  }

  private static CategorySet[] sets(List<List<Node>> categorical) {
    return categorical.stream()
        .flatMap(List::stream)
        .map(node -> node.tree.categories(node.split))
        .toArray(CategorySet[]::new);
  }

  private int[] leafStarts() {
    int[] starts = new int[trees.size()];
    for (int t = 1; t < starts.length; t++) {
      starts[t] = starts[t - 1] + trees.get(t - 1).leaves();
    }
    return starts;
  }

  private double[] leafValues() {
    double[] values = new double[trees.stream().mapToInt(Tree::leaves).sum()];
    int at = 0;
    for (Tree tree : trees) {
      for (int leaf = 0; leaf < tree.leaves(); leaf++) {
        values[at++] = tree.leafValue(leaf);
      }
    }
    return values;
  }
}
