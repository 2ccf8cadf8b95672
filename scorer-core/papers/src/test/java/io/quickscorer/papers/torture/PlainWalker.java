// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right scores, by a walk that shares no code with the engines or the reference: it decides by
 * comparisons of doubles, which the JIT does not fold. The reference is then an engine like all
 * others.
 */
final class PlainWalker {
  private final TreeEnsemble ensemble;

  /** Per tree and split the categories that go left, ascending; null at a numeric split. */
  private final List<int[] @Nullable []> sets = new ArrayList<>();

  PlainWalker(TreeEnsemble ensemble) {
    this.ensemble = ensemble;
    for (Tree tree : ensemble.trees()) {
      int[] @Nullable [] ofTree = new int[tree.splits()][];
      for (int split = 0; split < ofTree.length; split++) {
        CategorySet set = tree.categories(split);
        ofTree[split] = set == null ? null : set.categories();
      }
      sets.add(ofTree);
    }
  }

  /** Scores all documents. */
  double[] score(FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    for (int document = 0; document < scores.length; document++) {
      scores[document] = score(matrix, document);
    }
    return scores;
  }

  private double score(FeatureMatrix matrix, int document) {
    boolean floats = ensemble.accumulator() == Accumulator.FLOAT;
    double sum = ensemble.initialScore();
    for (int t = 0; t < sets.size(); t++) {
      Tree tree = ensemble.trees().get(t);
      int node = tree.splits() == 0 ? ~0 : 0;
      while (node >= 0) {
        double value = matrix.get(document, tree.feature(node));
        node = goesLeft(tree, sets.get(t)[node], node, value) ? tree.left(node) : tree.right(node);
      }
      sum += tree.leafValue(~node);
      sum = floats ? (float) sum : sum;
    }
    LinearTerms terms = ensemble.linear();
    for (int term = 0; terms != null && term < terms.size(); term++) {
      sum = added(terms, term, sum, matrix.get(document, terms.feature(term)), floats);
    }
    boolean asIs = ensemble.scale() == 1 && ensemble.bias() == 0;
    return asIs ? sum : ensemble.scale() * sum + ensemble.bias();
  }

  private static boolean goesLeft(Tree tree, int @Nullable [] set, int split, double value) {
    MissingValue rule = tree.missing(split);
    boolean missing =
        Double.isNaN(value)
            || (rule.zeroIsMissing() && Math.abs(value) <= (double) MissingValue.ZERO_BOUND);
    if (missing) {
      return rule.left();
    }
    if (set == null) {
      return value <= (double) tree.threshold(split);
    }
    CategorySet.Rounding rounding = tree.categories(split).rounding();
    double category = Math.floor(value);
    if (category == -1 && value > -1 && rounding == CategorySet.Rounding.TOWARD_ZERO) {
      category = 0;
    }
    return category >= 0
        && category <= Integer.MAX_VALUE
        && Arrays.binarySearch(set, (int) category) >= 0;
  }

  private static double added(
      LinearTerms terms, int term, double sum, float value, boolean floats) {
    boolean normalised = terms.offset(term) != 0 || terms.divisor(term) != 1;
    boolean missing = Double.isNaN(value);
    if (missing && !normalised) {
      return sum;
    }
    float present = missing ? 0 : value;
    float factor = normalised ? (present - terms.offset(term)) / terms.divisor(term) : present;
    return floats
        ? (float) sum + (float) terms.weight(term) * factor
        : sum + terms.weight(term) * factor;
  }
}
