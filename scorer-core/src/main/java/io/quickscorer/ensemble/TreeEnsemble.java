package io.quickscorer.ensemble;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A trained ensemble of trees: everything needed to score exactly as its trainer does.
 *
 * <p>The raw score of a document is {@code scale * s + bias}, where s starts at the initial score
 * and takes on each tree's exit leaf, in tree order, by the {@link Accumulator}'s arithmetic. The
 * trainer's prediction is the {@link OutputTransform} of that. A feature vector holds one float per
 * feature name, in their order; NaN is a missing value.
 */
public final class TreeEnsemble {
  private final List<Tree> trees;
  private final List<String> featureNames;
  private final double initialScore;
  private final Accumulator accumulator;
  private final double scale;
  private final double bias;
  private final OutputTransform transform;
  private final ModelSource source;
  private final EnsembleShape shape;

  private TreeEnsemble(Builder builder) {
    this.trees = List.copyOf(builder.trees);
    this.featureNames = List.copyOf(builder.featureNames);
    this.initialScore = builder.initialScore;
    this.accumulator = builder.accumulator;
    this.scale = builder.scale;
    this.bias = builder.bias;
    this.transform = builder.transform;
    this.source = builder.source;
    this.shape = EnsembleShape.of(trees, featureNames.size());
  }

  public List<Tree> trees() {
    return trees;
  }

  /** Names of all features, unique and not empty; a feature's index is its place here. */
  public List<String> featureNames() {
    return featureNames;
  }

  /** Where the sum over the trees starts. */
  public double initialScore() {
    return initialScore;
  }

  public Accumulator accumulator() {
    return accumulator;
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

  /** The raw score for a finished sum over the trees. */
  public double rawScore(double sum) {
    return scale == 1 && bias == 0 ? sum : scale * sum + bias;
  }

  /**
   * A builder for an ensemble over these features.
   *
   * @throws InvalidModelException if a name is empty or occurs twice
   */
  public static Builder builder(List<String> featureNames, ModelSource source) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < featureNames.size(); i++) {
      String name = featureNames.get(i);
      if (name.isEmpty() || !seen.add(name)) {
        throw new InvalidModelException(
            "feature " + i + ": its name is " + (name.isEmpty() ? "empty" : "already taken"));
      }
    }
    return new Builder(featureNames, source);
  }

  /** Collects what a reader learns; what is not set has the neutral value. */
  public static final class Builder {
    private final List<String> featureNames;
    private final ModelSource source;
    private List<Tree> trees = List.of();
    private double initialScore;
    private Accumulator accumulator = Accumulator.DOUBLE;
    private double scale = 1;
    private double bias;
    private OutputTransform transform = OutputTransform.IDENTITY;

    private Builder(List<String> featureNames, ModelSource source) {
      this.featureNames = featureNames;
      this.source = source;
    }

    public Builder trees(List<Tree> trees) {
      this.trees = trees;
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

    public Builder scaleAndBias(double scale, double bias) {
      this.scale = finite("scale", scale);
      this.bias = finite("bias", bias);
      return this;
    }

    public Builder transform(OutputTransform transform) {
      this.transform = transform;
      return this;
    }

    public TreeEnsemble build() {
      if (trees.isEmpty()) {
        throw new InvalidModelException("0 trees, expected 1 or more");
      }
      return new TreeEnsemble(this);
    }

    private static double finite(String what, double value) {
      if (!Double.isFinite(value)) {
        throw new InvalidModelException(what + ": " + value + ", expected a finite number");
      }
      return value;
    }
  }
}
