// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts a model to another list of features without changing its scores. The conversion
 * renumbers the features, applies the features' normalisers to thresholds and terms, and can make
 * missing values count as 0.
 *
 * @param names the names of the new features
 * @param to the new number of each old feature; -1 for a feature that the model does not use
 * @param normalisers the normalisers of features that were normalised in training, by new number of
 *     the feature
 * @param missingIsZero whether a missing value counts as 0 before normalisation; otherwise, it
 *     stays missing
 */
record Rebinding(
    List<String> names, int[] to, Map<Integer, Normaliser> normalisers, boolean missingIsZero) {

  /** Returns a copy of a model, changed so that missing values count as 0. */
  public static TreeEnsemble missingAsZero(TreeEnsemble model, EnsembleLimits limits) {
    int[] same = new int[model.featureNames().size()];
    for (int f = 0; f < same.length; f++) {
      same[f] = f;
    }
    return new Rebinding(model.featureNames(), same, Map.of(), true)
        .apply(model, model.source(), limits);
  }

  public TreeEnsemble apply(TreeEnsemble model, ModelSource source, EnsembleLimits limits) {
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(names, source)
            .accumulator(model.accumulator())
            .initialScore(model.initialScore())
            .scaleAndBias(model.scale(), model.bias())
            .treesPerBag(model.treesPerBag())
            .divisor(model.divisor())
            .transform(model.transform())
            .categories(categories(model));
    LinearTerms linear = model.linear();
    if (linear != null) {
      return ensemble.linear(terms(linear)).build();
    }
    TreeBuilder builder = new TreeBuilder(limits, names.size(), false);
    List<Tree> trees = new ArrayList<>(model.trees().size());
    for (int t = 0; t < model.trees().size(); t++) {
      trees.add(tree(builder, t, model.trees().get(t)));
    }
    return ensemble.trees(trees).build();
  }

  /**
   * Returns the category lists of a model, by the feature's number after the conversion. Leaves out
   * features that have a normaliser.
   */
  private Map<Integer, CategoryList> categories(TreeEnsemble model) {
    Map<Integer, CategoryList> categories = new HashMap<>();
    model
        .categories()
        .forEach(
            (feature, list) -> {
              if (to[feature] >= 0 && !normalisers.containsKey(to[feature])) {
                categories.put(to[feature], list);
              }
            });
    return categories;
  }

  private LinearTerms terms(LinearTerms linear) {
    int[] features = new int[linear.size()];
    double[] weights = new double[linear.size()];
    float[] offsets = new float[linear.size()];
    float[] divisors = new float[linear.size()];
    for (int term = 0; term < features.length; term++) {
      features[term] = to[linear.feature(term)];
      weights[term] = linear.weight(term);
      Normaliser normaliser = normalisers.get(features[term]);
      offsets[term] = normaliser == null ? linear.offset(term) : normaliser.offset();
      divisors[term] = normaliser == null ? linear.divisor(term) : normaliser.divisor();
    }
    return LinearTerms.normalised(features, weights, offsets, divisors);
  }

  private Tree tree(TreeBuilder builder, int number, Tree tree) {
    NodeStatistics statistics = tree.statistics();
    int splits = tree.splits();
    builder.start(number, splits + tree.leaves());
    for (int split = 0; split < splits; split++) {
      addSplit(builder, number, tree, split);
      if (statistics.hasCovers()) {
        builder.cover(split, statistics.splitCover(split));
      }
      if (statistics.hasGains()) {
        builder.gain(split, statistics.gain(split));
      }
    }
    for (int leaf = 0; leaf < tree.leaves(); leaf++) {
      builder.leaf(splits + leaf, tree.leafValue(leaf));
      if (statistics.hasCovers()) {
        builder.cover(splits + leaf, statistics.leafCover(leaf));
      }
    }
    return builder.build(0);
  }

  private void addSplit(TreeBuilder builder, int number, Tree tree, int split) {
    int splits = tree.splits();
    int left = tree.left(split) < 0 ? splits + ~tree.left(split) : tree.left(split);
    int right = tree.right(split) < 0 ? splits + ~tree.right(split) : tree.right(split);
    int feature = to[tree.feature(split)];
    CategorySet set = tree.categories(split);
    @Nullable Normaliser normaliser = normalisers.get(feature);
    if (set != null) {
      if (normaliser != null) {
        throw new InvalidModelException(
            "tree "
                + number
                + ", node "
                + split
                + ": the split tests categories of feature "
                + feature
                + ", but the feature has a normaliser; remove the normaliser");
      }
      builder.split(split, feature, set, missing(tree, split, set.contains(0)), left, right);
    } else {
      float threshold = tree.threshold(split);
      float bound = normaliser == null ? threshold : normaliser.bound(threshold);
      builder.split(split, feature, bound, missing(tree, split, 0 <= bound), left, right);
    }
  }

  private MissingValue missing(Tree tree, int split, boolean zeroGoesLeft) {
    return missingIsZero ? MissingValue.of(zeroGoesLeft, false) : tree.missing(split);
  }
}
