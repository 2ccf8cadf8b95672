// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.TreeContribution;
import io.quickscorer.explain.UnexplainableException;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Explanation;
import org.opensearch.common.CheckedFunction;

/**
 * Explains the score of a document by the ranking model: the feature values, the trees that change
 * the score most, and the contribution of each feature. The contributions and the expected score
 * (the mean) add up to the raw score.
 *
 * @param group the features that the model can read
 * @param model the model; the caller keeps it in memory
 * @param answer the memory budget to which the explanation is charged
 */
record ModelExplanation(
    RescoreServices services,
    ClauseOptions options,
    List<BoundFeature> group,
    CompiledModel model,
    RequestBudget answer) {
  private static final int TOP_TREES = 10;

  /** Maximum number of computation steps for the explanation of a hit; more would take seconds. */
  private static final long MAX_STEPS = 500_000_000;

  /**
   * The feature values of the document whose score is explained.
   *
   * @param features its first row has the values of the features
   * @param columns for each feature of {@link ModelExplanation#group}, its column in {@code
   *     features}; -1 if it has none
   * @param row its columns are those that the model reads, and its first row has the values
   * @param inputs returns, by a feature's index in the group, the named values from which the
   *     feature was computed; an empty list if the feature is no expression or they are not known
   */
  public record Values(
      FeatureMatrix features,
      int[] columns,
      FeatureMatrix row,
      CheckedFunction<Integer, List<ShardFeature.Input>, IOException> inputs) {
    /** Returns the value of a feature of the group; NaN if it is missing. */
    float of(int feature) {
      return columns[feature] < 0 ? Float.NaN : features.get(0, columns[feature]);
    }
  }

  public Explanation of(double score, Values values) throws IOException {
    ModelId id = model.id();
    String engine = services.engines().with(model, options, EnsembleScorer::engine);
    return Explanation.match(
        score,
        (options.transformed() ? "transformed" : "raw")
            + " score of model ["
            + id
            + "] by "
            + engine
            + ", from:",
        details(values));
  }

  private List<Explanation> details(Values values) throws IOException {
    TreeEnsemble ensemble = model.scorer().ensemble();
    long parts = group.size() + ensemble.featureNames().size() + TOP_TREES;
    answer.charge(ShownHits.explanationBytes(parts), "<quickscorer explanation>");
    double[] contributions = new double[0];
    List<Explanation> why = new ArrayList<>();
    try {
      contributions =
          services.engines().explain(model, explainer -> contributions(explainer, values, why));
    } catch (UnexplainableException e) {
      why.add(Explanation.noMatch("no contributions: " + e.getMessage()));
    }
    int[] places = ModelScores.places(model, group);
    List<Explanation> details = new ArrayList<>();
    for (int f = 0; f < group.size(); f++) {
      if (group.get(f) instanceof BoundFeature.Unused) {
        continue;
      }
      List<Explanation> below = new ArrayList<>();
      for (int i = 0; i < contributions.length; i++) {
        if (places[i] == f) {
          below.add(
              Explanation.match(
                  contributions[i],
                  "contribution of [" + ensemble.featureNames().get(i) + "] to the raw score"));
        }
      }
      for (ShardFeature.Input input : values.inputs().apply(f)) {
        below.add(value("input [" + input.name() + "]", input.value(), List.of()));
      }
      details.add(value("feature [" + group.get(f).name() + "]", values.of(f), below));
    }
    details.addAll(why);
    return details;
  }

  private static Explanation value(String name, Number value, List<Explanation> below) {
    return Double.isNaN(value.doubleValue())
        ? Explanation.noMatch(name + " is missing", below)
        : Explanation.match(value, name, below);
  }

  /**
   * Returns how much each feature of the model contributes to the score.
   *
   * @param besides receives the expected score and the trees that change the score most, or the
   *     reason why there are no contributions
   */
  private static double[] contributions(
      Explainer explainer, Values values, List<Explanation> besides) {
    long steps = explainer.stepsPerDocument();
    if (steps > MAX_STEPS) {
      besides.add(
          Explanation.noMatch(
              "contributions are not computed, because they need "
                  + steps
                  + " steps, at most "
                  + MAX_STEPS
                  + " allowed"));
      return new double[0];
    }
    FeatureMatrix row = values.row();
    besides.add(
        Explanation.match(explainer.expectedValue(), "expected raw score over the training data"));
    List<Explanation> trees = new ArrayList<>();
    double sum = 0;
    for (TreeContribution tree : explainer.topTrees(row, 0, TOP_TREES)) {
      sum += tree.contribution();
      trees.add(
          Explanation.match(
              tree.contribution(),
              "tree "
                  + tree.tree()
                  + ", leaf "
                  + tree.leaf()
                  + ": value "
                  + tree.value()
                  + ", expected "
                  + tree.expected()));
    }
    if (!trees.isEmpty()) {
      besides.add(Explanation.match(sum, "sum of the trees that change the raw score most", trees));
    }
    return explainer.contributions(row, 0, explainer.newWorkspace());
  }
}
