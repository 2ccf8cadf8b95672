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
 * A trained model: everything needed to score exactly as its trainer does. It is an ensemble of
 * trees or, without any, {@link LinearTerms}.
 *
 * <p>The raw score of a document is {@code (scale * s + bias) / divisor}, where s starts at the
 * initial score and takes on each tree's exit leaf, or each term, in order, by the {@link
 * Accumulator}'s arithmetic. Where the trees come in bags, each bag is summed so from 0, and the
 * bags in double. The trainer's prediction is the {@link OutputTransform} of that. A feature vector
 * holds one float per feature name, in their order; NaN is a missing value.
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

  /** Replaces the derived columns in use by the features that they are computed from. */
  private static void useInputs(BitSet used, DerivedColumns derived, int features) {
    for (int column = 0; column < derived.size(); column++) {
      if (used.get(features + column)) {
        used.clear(features + column);
        used.or(derived.inputs(column));
      }
    }
  }

  /**
   * The trees; none if the model is linear. Their splits test features and, where there are any,
   * {@link #derived} columns, which are numbered after the features.
   */
  public List<Tree> trees() {
    return trees;
  }

  /** The terms of a linear model; null if this is an ensemble of trees. */
  public @Nullable LinearTerms linear() {
    return linear;
  }

  /** The columns that are computed before the trees are walked; null if there are none. */
  public @Nullable DerivedColumns derived() {
    return derived;
  }

  /**
   * By feature, in ascending order, the values that its codes stand for, as far as the file or the
   * caller says so. Scores do not depend on them: a document's value is the code.
   */
  public Map<Integer, CategoryList> categories() {
    return categories;
  }

  /** Names of the features and of the derived columns after them: of all that splits test. */
  public List<String> columnNames() {
    if (derived == null) {
      return featureNames;
    }
    List<String> names = new ArrayList<>(featureNames);
    names.addAll(derived.names(featureNames));
    return names;
  }

  /** Returns these trees with the derived columns as features; this ensemble if it has none. */
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

  /** Names of all features, unique and not empty; a feature's index is its place here. */
  public List<String> featureNames() {
    return featureNames;
  }

  /**
   * Whether some split tests the feature or what is derived from it, or some term weighs it, also
   * one in a leaf.
   */
  public boolean uses(int feature) {
    return usedFeatures.get(feature);
  }

  /** Where the sum over the trees or terms starts. */
  public double initialScore() {
    return initialScore;
  }

  public Accumulator accumulator() {
    return accumulator;
  }

  /**
   * The type of the raw scores that the trainer gives, in which scores are compared and printed: of
   * bags, whose sums are averaged in double, double; else the accumulator's.
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

  /** How many trees each bag has, in order; empty where the trees are not summed in bags. */
  public int[] treesPerBag() {
    return treesPerBag.clone();
  }

  /** Whether the trees are summed in bags. */
  public boolean isBagged() {
    return treesPerBag.length > 0;
  }

  /** Whether functions stand in the leaves of some tree. */
  public boolean hasLinearLeaves() {
    return trees.stream().anyMatch(tree -> tree.linearLeaves() != null);
  }

  /** The bags as ensembles that score their own sums; none where there are no bags. */
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

  /** By what the raw score is divided at the end: the number of trees of an average, else 1. */
  public int divisor() {
    return divisor;
  }

  /**
   * Returns the factor of a leaf's value, or of a term's, in the raw score, apart from rounding.
   */
  public double weight() {
    return scale / divisor;
  }

  /** The raw score for a finished sum over the trees or terms. */
  public double rawScore(double sum) {
    double shifted = scale == 1 && bias == 0 ? sum : scale * sum + bias;
    return divisor == 1 ? shifted : shifted / divisor;
  }

  /**
   * A builder for an ensemble over these features.
   *
   * @throws InvalidModelException if a name is empty or occurs twice
   */
  public static Builder builder(List<String> featureNames, ModelSource source) {
    Set<String> seen = new HashSet<>();
    // Numbered ones differ from each other.
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

  /** Collects what a reader learns; what is not set has the neutral value. */
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

    /** Makes the model a linear one, which has no trees. */
    public Builder linear(LinearTerms linear) {
      this.linear = linear;
      return this;
    }

    /**
     * Lets splits test columns that are computed from the features.
     *
     * @throws InvalidModelException if one is computed from a feature that is not there
     */
    public Builder derived(DerivedColumns derived) {
      derived.checkFeatures(featureNames.size());
      this.derived = derived;
      return this;
    }

    /**
     * Says what the codes of features stand for.
     *
     * @throws InvalidModelException if one of the features is not there
     */
    public Builder categories(Map<Integer, CategoryList> categories) {
      for (int feature : categories.keySet()) {
        if (feature < 0 || feature >= featureNames.size()) {
          throw new InvalidModelException("categories of feature " + feature + ", not there");
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
     * @throws InvalidModelException if one of them is not finite, or the scale is 0: all documents
     *     would score the same, and NaN where the leaves' sum is beyond all doubles
     */
    public Builder scaleAndBias(double scale, double bias) {
      if (scale == 0) {
        throw new InvalidModelException("scale: 0, expected another number");
      }
      this.scale = finite("scale", scale);
      this.bias = finite("bias", bias);
      return this;
    }

    /** Makes the trees be summed in bags of so many, one or more. */
    public Builder treesPerBag(int... treesPerBag) {
      this.treesPerBag = treesPerBag.clone();
      return this;
    }

    /**
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
        throw new InvalidModelException("bags of trees whose leaves are linear functions");
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
