// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A trained model, with everything needed to score exactly as its trainer does: an ensemble of
 * trees or, without any, {@link LinearTerms}.
 *
 * <p>The raw score of a document is {@code (scale * s + bias) / divisor}, where s starts at the
 * initial score and adds each tree's exit leaf, or each term, in order, by the {@link
 * Accumulator}'s arithmetic. If the trees come in bags, each bag is summed in this way from 0, and
 * the bags in double. The trainer's prediction is the {@link OutputTransform} of that. A feature
 * vector holds one float per feature name, in their order; NaN is a missing value.
 */
public final class TreeEnsemble {
  private final List<Tree> trees;
  private final @Nullable LinearTerms linear;
  private final @Nullable DerivedColumns derived;
  private final Map<Integer, CategoryList> categories;
  private final List<String> featureNames;
  private final BitSet usedFeatures;
  private final double initialScore;
  private final Accumulator accumulator;
  private final double scale;
  private final double bias;
  private final int[] treesPerBag;
  private final int divisor;
  private final OutputTransform transform;
  private final ModelSource source;
  private final EnsembleShape shape;

  private TreeEnsemble(Builder builder) {
    this.trees = List.copyOf(builder.trees);
    this.linear = builder.linear;
    this.derived = builder.derived;
    this.categories = Collections.unmodifiableMap(new TreeMap<>(builder.categories));
    this.featureNames =
        builder.featureNames instanceof NumberedNames numbered
            ? numbered
            : List.copyOf(builder.featureNames);
    this.usedFeatures = usedFeatures(trees, linear);
    if (derived != null) {
      useInputs(usedFeatures, derived, featureNames.size());
    }
    this.initialScore = builder.initialScore;
    this.accumulator = builder.accumulator;
    this.scale = builder.scale;
    this.bias = builder.bias;
    this.treesPerBag = builder.treesPerBag;
    this.divisor = builder.divisor;
    this.transform = builder.transform;
    this.source = builder.source;
    this.shape = EnsembleShape.of(trees, featureNames.size(), usedFeatures.cardinality());
  }

  private static BitSet usedFeatures(List<Tree> trees, @Nullable LinearTerms linear) {
    BitSet used = new BitSet();
    for (Tree tree : trees) {
      for (int split = 0; split < tree.splits(); split++) {
        used.set(tree.feature(split));
      }
      LinearLeaves leaves = tree.linearLeaves();
      for (int leaf = 0; leaves != null && leaf < tree.leaves(); leaf++) {
        for (int term = 0; term < leaves.terms(leaf); term++) {
          used.set(leaves.feature(leaf, term));
        }
      }
    }
    for (int term = 0; linear != null && term < linear.size(); term++) {
      used.set(linear.feature(term));
    }
    return used;
  }

  /** Replaces the used derived columns by the features that they are computed from. */
  private static void useInputs(BitSet used, DerivedColumns derived, int features) {
    for (int column = 0; column < derived.size(); column++) {
      if (used.get(features + column)) {
        used.clear(features + column);
        used.or(derived.inputs(column));
      }
    }
  }

  /**
   * Returns the trees; none if the model is linear. Their splits test features and, if there are
   * any, {@link #derived} columns, which are numbered after the features.
   */
  public List<Tree> trees() {
    return trees;
  }

  /** Returns the terms of a linear model; null for an ensemble of trees. */
  public @Nullable LinearTerms linear() {
    return linear;
  }

  /** Returns the columns that are computed before the trees are walked; null if there are none. */
  public @Nullable DerivedColumns derived() {
    return derived;
  }

  /**
   * Returns the values of categorical features' codes, by feature in ascending order, if the file
   * or the caller gives them. Scores do not depend on them: a document's value is the code.
   */
  public Map<Integer, CategoryList> categories() {
    return categories;
  }

  /**
   * Returns the names of the features and, after them, of the derived columns: of everything that
   * splits can test.
   */
  public List<String> columnNames() {
    if (derived == null) {
      return featureNames;
    }
    List<String> names = new ArrayList<>(featureNames);
    names.addAll(derived.names(featureNames));
    return names;
  }

  /**
   * Returns an ensemble of the same trees in which derived columns are ordinary features; itself if
   * it has none.
   */
  public TreeEnsemble overColumns() {
    if (derived == null) {
      return this;
    }
    return new Builder(columnNames(), source)
        .trees(trees)
        .initialScore(initialScore)
        .accumulator(accumulator)
        .scaleAndBias(scale, bias)
        .treesPerBag(treesPerBag)
        .divisor(divisor)
        .transform(transform)
        .build();
  }

  /** Returns the names of all features, unique and not empty, in the order of their indices. */
  public List<String> featureNames() {
    return featureNames;
  }

  /**
   * Returns whether a split tests the feature or a column derived from it, or a term weights it,
   * also in a leaf.
   */
  public boolean uses(int feature) {
    return usedFeatures.get(feature);
  }

  /** Returns the initial value of the sum over the trees or terms. */
  public double initialScore() {
    return initialScore;
  }

  public Accumulator accumulator() {
    return accumulator;
  }

  /**
   * Returns the type of the trainer's raw scores, in which scores are compared and printed: double
   * for bags, whose sums are averaged in double, else the accumulator's.
   */
  public Accumulator scoreType() {
    return isBagged() ? Accumulator.DOUBLE : accumulator;
  }

  public OutputTransform transform() {
    return transform;
  }

  public ModelSource source() {
    return source;
  }

  public EnsembleShape shape() {
    return shape;
  }

  public double scale() {
    return scale;
  }

  public double bias() {
    return bias;
  }

  /** Returns the number of trees of each bag; empty if the trees are not summed in bags. */
  public int[] treesPerBag() {
    return treesPerBag.clone();
  }

  /** Returns whether the trees are summed in bags. */
  public boolean isBagged() {
    return treesPerBag.length > 0;
  }

  /** Returns whether some tree has linear leaves. */
  public boolean hasLinearLeaves() {
    return trees.stream().anyMatch(tree -> tree.linearLeaves() != null);
  }

  /** Returns the bags as ensembles that score their own sums; none if there are no bags. */
  public List<TreeEnsemble> bags() {
    List<TreeEnsemble> bags = new ArrayList<>(treesPerBag.length);
    int first = 0;
    for (int count : treesPerBag) {
      bags.add(
          new Builder(featureNames, source)
              .trees(trees.subList(first, first + count))
              .accumulator(accumulator)
              .build());
      first += count;
    }
    return bags;
  }

  /** Returns the divisor of the raw score: the number of trees of an average, else 1. */
  public int divisor() {
    return divisor;
  }

  /** Returns the factor of a leaf's value, or a term's, in the raw score, but for rounding. */
  public double weight() {
    return scale / divisor;
  }

  /** Returns the raw score for a finished sum over the trees or terms. */
  public double rawScore(double sum) {
    double shifted = scale == 1 && bias == 0 ? sum : scale * sum + bias;
    return divisor == 1 ? shifted : shifted / divisor;
  }

  /**
   * Returns a builder for an ensemble over these features.
   *
   * @throws InvalidModelException if a name is empty or occurs twice
   */
  public static Builder builder(List<String> featureNames, ModelSource source) {
    Set<String> seen = new HashSet<>();
    // Numbered names differ from each other.
    int named = featureNames instanceof NumberedNames ? 0 : featureNames.size();
    for (int i = 0; i < named; i++) {
      String name = featureNames.get(i);
      if (name.isEmpty() || !seen.add(name)) {
        throw new InvalidModelException(
            "feature "
                + i
                + ": its name "
                + (name.isEmpty() ? "is empty" : "[" + name + "] is already taken"));
      }
    }
    return new Builder(featureNames, source);
  }

  /** Collects a model's parts; parts that are not set have neutral values. */
  public static final class Builder {
    private final List<String> featureNames;
    private final ModelSource source;
    private List<Tree> trees = List.of();
    private @Nullable LinearTerms linear;
    private @Nullable DerivedColumns derived;
    private Map<Integer, CategoryList> categories = Map.of();
    private double initialScore;
    private Accumulator accumulator = Accumulator.DOUBLE;
    private double scale = 1;
    private double bias;
    private int[] treesPerBag = {};
    private int divisor = 1;
    private OutputTransform transform = OutputTransform.IDENTITY;

    private Builder(List<String> featureNames, ModelSource source) {
      this.featureNames = featureNames;
      this.source = source;
    }

    public Builder trees(List<Tree> trees) {
      this.trees = trees;
      return this;
    }

    /** Makes the model linear; it then has no trees. */
    public Builder linear(LinearTerms linear) {
      this.linear = linear;
      return this;
    }

    /**
     * Adds columns that are computed from the features, for splits to test.
     *
     * @throws InvalidModelException if one is computed from a feature that does not exist
     */
    public Builder derived(DerivedColumns derived) {
      derived.checkFeatures(featureNames.size());
      this.derived = derived;
      return this;
    }

    /**
     * Sets the values of features' codes.
     *
     * @throws InvalidModelException if one of the features does not exist
     */
    public Builder categories(Map<Integer, CategoryList> categories) {
      for (int feature : categories.keySet()) {
        if (feature < 0 || feature >= featureNames.size()) {
          throw new InvalidModelException(
              "categories of feature " + feature + ", which does not exist");
        }
      }
      this.categories = categories;
      return this;
    }

    public Builder initialScore(double initialScore) {
      this.initialScore = finite("initial score", initialScore);
      return this;
    }

    public Builder accumulator(Accumulator accumulator) {
      this.accumulator = accumulator;
      return this;
    }

    /**
     * Sets the scale and the bias of the sum.
     *
     * @throws InvalidModelException if one of them is not finite, or the scale is 0: all documents
     *     would score the same, or NaN if the leaves' sum overflows
     */
    public Builder scaleAndBias(double scale, double bias) {
      if (scale == 0) {
        throw new InvalidModelException("scale: 0, expected a number other than 0");
      }
      this.scale = finite("scale", scale);
      this.bias = finite("bias", bias);
      return this;
    }

    /** Sums the trees in bags of these sizes, each one or more. */
    public Builder treesPerBag(int... treesPerBag) {
      this.treesPerBag = treesPerBag.clone();
      return this;
    }

    /**
     * Sets the divisor of the raw score.
     *
     * @throws InvalidModelException if it is below 1
     */
    public Builder divisor(int divisor) {
      if (divisor < 1) {
        throw new InvalidModelException("divisor: " + divisor + ", expected 1 or more");
      }
      this.divisor = divisor;
      return this;
    }

    public Builder transform(OutputTransform transform) {
      this.transform = transform;
      return this;
    }

    public TreeEnsemble build() {
      if (trees.isEmpty() == (linear == null)) {
        throw new InvalidModelException(
            linear == null
                ? "0 trees, expected 1 or more"
                : trees.size() + " trees in a linear model, expected none");
      }
      if (treesPerBag.length > 0) {
        checkBags();
      }
      return new TreeEnsemble(this);
    }

    private void checkBags() {
      long sum = 0;
      for (int count : treesPerBag) {
        if (count < 1) {
          throw new InvalidModelException("bag of " + count + " trees, expected 1 or more");
        }
        sum += count;
      }
      if (sum != trees.size() || initialScore != 0) {
        throw new InvalidModelException(
            "bags of " + sum + " trees, expected " + trees.size() + ", and no initial score");
      }
      if (trees.stream().anyMatch(tree -> tree.linearLeaves() != null)) {
        throw new InvalidModelException("bags: not supported for trees with linear leaves");
      }
    }

    private static double finite(String what, double value) {
      if (!Double.isFinite(value)) {
        throw new InvalidModelException(what + ": " + value + ", expected a finite number");
      }
      return value;
    }
  }
}
