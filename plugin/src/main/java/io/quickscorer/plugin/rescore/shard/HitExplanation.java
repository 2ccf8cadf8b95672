// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.TreeContribution;
import io.quickscorer.explain.UnexplainableException;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;

/**
 * Why a hit has its score: the values of its features, what each of them contributes to the ranking
 * model's raw score (the contributions and the expected score add up to it), and the trees that
 * move it furthest.
 */
final class HitExplanation {
  private static final int TOP_TREES = 10;

  /** More than that takes seconds, for each hit. */
  private static final long MAX_STEPS = 500_000_000;

  private final EnsembleRescoreContext context;
  private final ScoredWindow scored;
  private final CompiledModel model;
  private final IndexSearcher searcher;

  private HitExplanation(
      EnsembleRescoreContext context,
      ScoredWindow scored,
      CompiledModel model,
      IndexSearcher searcher) {
    this.context = context;
    this.scored = scored;
    this.model = model;
    this.searcher = searcher;
  }

  static Explanation of(
      int doc, IndexSearcher searcher, EnsembleRescoreContext context, Explanation source)
      throws IOException {
    ClauseOptions options = context.options();
    if (context.bound().models().isEmpty()) {
      return source;
    }
    ModelId id = context.bound().ids().getFirst();
    float firstPass = source.getValue().floatValue();
    if (!context.isRescored(doc)) {
      return options.outsideWindow() == OutsideWindow.MIX
          ? source
          : Explanation.match(
              options.outsideWindow().score(firstPass),
              "outside the window of [" + id.name() + "]: below all rescored hits, by:",
              source);
    }
    Cancellation.of(searcher).check();
    Window window = new Window(new int[] {doc}, new float[] {firstPass});
    try (ModelUses uses = ModelUses.acquire(context.services().models(), context.bound().ids());
        ScoredWindow scored = ScoredWindow.withInputs(context, uses.models(), window, searcher)) {
      CompiledModel model = uses.models().getFirst();
      Explanation byModel = new HitExplanation(context, scored, model, searcher).byModel(id);
      return Explanation.match(
          options.combination().combine(firstPass, scored.scores()[0][0]),
          options.combination() + ":",
          byModel,
          source);
    }
  }

  private Explanation byModel(ModelId id) throws IOException {
    ClauseOptions options = context.options();
    String engine = context.services().engines().with(model, options, EnsembleScorer::engine);
    return Explanation.match(
        scored.scores()[0][0],
        (options.transformed() ? "transformed" : "raw")
            + " score of model ["
            + id
            + "] by "
            + engine
            + ", from:",
        details());
  }

  private List<Explanation> details() throws IOException {
    TreeEnsemble ensemble = model.scorer().ensemble();
    long parts =
        context.bound().groups().getFirst().features().size()
            + ensemble.featureNames().size()
            + TOP_TREES;
    context.answer().charge(ShownHits.explanationBytes(parts), "<quickscorer explanation>");
    double[] contributions = new double[0];
    List<Explanation> why = new ArrayList<>();
    try {
      contributions =
          context.services().explainers().with(model, explainer -> contributions(explainer, why));
    } catch (UnexplainableException e) {
      why.add(Explanation.noMatch("no contributions: " + e.getMessage()));
    }
    List<BoundFeature> group = context.bound().groups().getFirst().features();
    int[] places = ModelColumns.places(model, group);
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
      for (ShardFeature.Input input : scored.inputs(f, searcher)) {
        below.add(value("input [" + input.name() + "]", input.value(), List.of()));
      }
      details.add(value("feature [" + group.get(f).name() + "]", scored.value(0, f), below));
    }
    details.addAll(why);
    return details;
  }

  private static Explanation value(String name, Number value, List<Explanation> below) {
    return Double.isNaN(value.doubleValue())
        ? Explanation.noMatch(name + " is missing", below)
        : Explanation.match(value, name, below);
  }

  /** Contributions, and besides them what else there is to say of the ensemble. */
  private double[] contributions(Explainer explainer, List<Explanation> besides) {
    long steps = explainer.stepsPerDocument();
    if (steps > MAX_STEPS) {
      besides.add(
          Explanation.noMatch(
              "no contributions: they take "
                  + steps
                  + " steps, at most "
                  + MAX_STEPS
                  + " allowed"));
      return new double[0];
    }
    FeatureMatrix row = scored.firstModels(model);
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
    besides.add(
        Explanation.match(sum, "the trees that move the raw score furthest, together", trees));
    return explainer.contributions(row, 0, explainer.newWorkspace());
  }
}
