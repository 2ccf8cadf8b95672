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
 * A trained model, with all data for computing exactly the scores of its trainer: an ensemble of
 * trees, or {@link LinearTerms} without trees. Immutable.
 *
 * <p>The raw score of a document is {@code (scale * s + bias) / divisor}. The sum s starts with the
 * initial score. Then each tree adds the value of the leaf that the document reaches; in a linear
 * model, each term is added. The precision is that of the {@link Accumulator}. If the trees form
 * bags (separate forests), each bag is summed in this way from 0, and the sums of the bags are
 * added in double. The trainer's prediction is the {@link OutputTransform} of the raw score. A
 * document has one float per feature, in the order of the names; NaN means a missing value.
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
    this.usedFeatures = UsedFeatures.of(trees, linear, derived, featureNames.size());
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

  /**
   * Returns the trees; an empty list if the model is linear. Splits test features and {@link
   * #derived} columns; the numbers of these columns follow the numbers of features.
   */
  public List<Tree> trees() {
    return trees;
  }

  /** Returns the terms of a linear model; null for an ensemble of trees. */
  public @Nullable LinearTerms linear() {
    return linear;
  }

  /**
   * Returns the columns that are computed from features and that splits can test; null if there are
   * none.
   */
  public @Nullable DerivedColumns derived() {
    return derived;
  }

  /**
   * Returns the known category lists by feature, ascending; index i contains the category of code
   * i. Scoring does not use the lists, because documents contain codes.
   */
  public Map<Integer, CategoryList> categories() {
    return categories;
  }

  /** Returns the names of all columns that splits can test: features, then derived columns. */
  public List<String> columnNames() {
    if (derived == null) {
      return featureNames;
    }
    List<String> names = new ArrayList<>(featureNames);
    names.addAll(derived.names(featureNames));
    return names;
  }

  /**
   * Returns an equivalent ensemble in which the derived columns are further features. Returns this
   * ensemble if it has no derived columns.
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

  /** Returns the names of all features in their order; names are unique and not empty. */
  public List<String> featureNames() {
    return featureNames;
  }

  /**
   * Returns whether the model uses a feature: in a split, in a derived column that a split tests,
   * in a linear term, or in a linear leaf.
   */
  public boolean uses(int feature) {
    return usedFeatures.get(feature);
  }

  /** Returns the initial value of the sum to which trees or terms are added. */
  public double initialScore() {
    return initialScore;
  }

  public Accumulator accumulator() {
    return accumulator;
  }

  /**
   * Returns the precision of raw scores: double if the trees form bags (separate forests), whose
   * sums are averaged in double; otherwise that of the accumulator.
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

  /** Returns the number of trees in each bag (separate forest); empty if there are no bags. */
  public int[] treesPerBag() {
    return treesPerBag.clone();
  }

  /** Returns whether the trees form bags: separate forests, whose sums are added in the end. */
  public boolean isBagged() {
    return treesPerBag.length > 0;
  }

  /** Returns whether at least one tree has linear leaves. */
  public boolean hasLinearLeaves() {
    return trees.stream().anyMatch(tree -> tree.linearLeaves() != null);
  }

  /** Returns each bag (separate forest) as an ensemble of its own; empty if there are no bags. */
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

  /**
   * Returns the divisor of the raw score: the number of trees or bags if the trainer averages them,
   * otherwise 1.
   */
  public int divisor() {
    return divisor;
  }

  /** Returns the number by which each leaf value or term is multiplied in the raw score. */
  public double weight() {
    return scale / divisor;
  }

  /**
   * Returns the raw score of a document.
   *
   * @param sum the sum of all trees or terms of the document
   */
  public double rawScore(double sum) {
    double shifted = scale == 1 && bias == 0 ? sum : scale * sum + bias;
    return divisor == 1 ? shifted : shifted / divisor;
  }

  /**
   * Returns a builder for an ensemble with the given features.
   *
   * @throws InvalidModelException if a name is empty or occurs twice
   */
  public static Builder builder(List<String> featureNames, ModelSource source) {
    Set<String> seen = new HashSet<>();
    // Names of this class are always unique.
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

  /** Builds an ensemble. Parts that are not set have no influence on the score. */
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

    /** Makes the model linear. Such a model must not have trees. */
    public Builder linear(LinearTerms linear) {
      this.linear = linear;
      return this;
    }

    /**
     * Adds columns that are computed from the features and that splits can test.
     *
     * @throws InvalidModelException if a column is computed from a feature that does not exist
     */
    public Builder derived(DerivedColumns derived) {
      derived.checkFeatures(featureNames.size());
      this.derived = derived;
      return this;
    }

    /**
     * Sets each feature's list of categories, in which the index of a category is its code.
     *
     * @throws InvalidModelException if a feature does not exist
     */
    public Builder categories(Map<Integer, CategoryList> categories) {
      for (int feature : categories.keySet()) {
        if (feature < 0 || feature >= featureNames.size()) {
          throw new InvalidModelException("categories: feature " + feature + " does not exist");
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
     * @throws InvalidModelException if one of them is not finite, or if the scale is 0, because all
     *     documents would then have the same score
     */
    public Builder scaleAndBias(double scale, double bias) {
      if (scale == 0) {
        throw new InvalidModelException("scale: found 0, expected another number");
      }
      this.scale = finite("scale", scale);
      this.bias = finite("bias", bias);
      return this;
    }

    /**
     * Divides the trees into bags: separate forests, whose sums are then added in double.
     *
     * @param treesPerBag the number of trees in each bag, 1 or more
     */
    public Builder treesPerBag(int... treesPerBag) {
      this.treesPerBag = treesPerBag.clone();
      return this;
    }

    /**
     * Sets the number by which the raw score is divided.
     *
     * @throws InvalidModelException if the divisor is below 1
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
                ? "found 0 trees, expected 1 or more"
                : "found " + trees.size() + " trees in a linear model, expected none");
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
          throw new InvalidModelException(
              "bags (separate forests): found a bag of " + count + " trees, expected 1 or more");
        }
        sum += count;
      }
      if (sum != trees.size() || initialScore != 0) {
        throw new InvalidModelException(
            sum != trees.size()
                ? "bags (separate forests): found "
                    + sum
                    + " trees in all bags, expected "
                    + trees.size()
                : "initial score: found "
                    + initialScore
                    + ", expected 0, because the trees form bags (separate forests)");
      }
      if (trees.stream().anyMatch(tree -> tree.linearLeaves() != null)) {
        throw new InvalidModelException(
            "trees in bags (separate forests, whose sums are added) cannot have linear leaves");
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
