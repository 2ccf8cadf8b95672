// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.expression.BoundExpression;
import io.quickscorer.plugin.feature.expression.FeatureExpression;
import io.quickscorer.plugin.feature.window.Column;
import io.quickscorer.plugin.feature.window.InputColumn;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.FinalBinder;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.DoubleValues;
import org.apache.lucene.search.Explanation;

/**
 * Computes the scores by which a window's hits are sorted: the first-pass score combined with the
 * model's score, then changed by the clause's {@code final} expression. If the expression has no
 * value, because the hit lacks a field that it reads, the combined score is used.
 *
 * @param matrix the values of the ranking model's group of features; only read if there is an
 *     expression
 * @param columns for each feature of the group, its column in the matrix
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record FinalScores(
    RescoreServices services,
    ClauseOptions options,
    BoundClause bound,
    FeatureMatrix matrix,
    int[] columns) {
  /**
   * Computes the final scores of a window's hits.
   *
   * @param firstPass the first-pass scores of the window's hits
   * @param model the ranking model's scores of these hits
   */
  public float[] of(float[] firstPass, double[] model) throws IOException {
    float[] bounded = new float[model.length];
    BoundExpression rule = bound.rule();
    if (rule == null) {
      for (int i = 0; i < bounded.length; i++) {
        bounded[i] = options.combination().combine(firstPass[i], model[i]);
      }
      return bounded;
    }
    double[] scores = combined(firstPass, model);
    FeatureExpression expression = services.expressions().get(rule.source());
    InputColumn[] variables = variables(rule, firstPass, model, scores);
    DoubleValues[] inputs = variables;
    for (int i = 0; i < bounded.length; i++) {
      for (InputColumn variable : variables) {
        variable.moveTo(i);
      }
      double value = expression.compiled().evaluate(inputs);
      bounded[i] = ScoreCombination.bounded(Double.isNaN(value) ? scores[i] : value);
    }
    return bounded;
  }

  private double[] combined(float[] firstPass, double[] model) {
    double[] scores = new double[model.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = options.combination().value(firstPass[i], model[i]);
    }
    return scores;
  }

  private InputColumn[] variables(
      BoundExpression rule, float[] firstPass, double[] model, double[] scores) {
    InputColumn[] variables = new InputColumn[rule.arguments().size()];
    for (int v = 0; v < variables.length; v++) {
      BoundExpression.Argument argument = rule.arguments().get(v);
      variables[v] =
          switch (argument.column()) {
            case -1 -> new InputColumn(argument.number());
            case FinalBinder.SCORE -> new InputColumn(scores);
            case FinalBinder.MODEL_SCORE -> new InputColumn(model);
            case FinalBinder.FIRST_PASS_SCORE -> new InputColumn(new Column(firstPass, 0));
            default -> {
              int place = argument.column() - FinalBinder.FIRST_FEATURE;
              yield new InputColumn(new Column(matrix.values(), matrix.column(columns[place])));
            }
          };
    }
    return variables;
  }

  /**
   * Explains the final score of a hit.
   *
   * @param hit the hit's index in the matrix
   * @param byModel explains the model's score
   * @param source explains the first-pass score
   */
  public Explanation explain(
      int hit, float firstPass, double model, Explanation byModel, Explanation source)
      throws IOException {
    float[] first = {firstPass};
    double[] scores = combined(first, new double[] {model});
    List<Explanation> parts = new ArrayList<>(List.of(byModel));
    Double minScore = options.rules().minModelScore();
    if (minScore != null) {
      parts.add(Explanation.match(minScore, "min_model_score, which the model score reaches"));
    }
    parts.add(source);
    Explanation combined =
        Explanation.match(ScoreCombination.bounded(scores[0]), options.combination() + ":", parts);
    BoundExpression rule = bound.rule();
    if (rule == null) {
      return combined;
    }
    FeatureExpression expression = services.expressions().get(rule.source());
    // Only the columns of features contain all hits. The other columns contain only this hit.
    InputColumn[] variables = variables(rule, first, new double[] {model}, scores);
    DoubleValues[] inputs = variables;
    List<Explanation> read = new ArrayList<>();
    for (int v = 0; v < variables.length; v++) {
      boolean feature = rule.arguments().get(v).column() >= FinalBinder.FIRST_FEATURE;
      variables[v].moveTo(feature ? hit : 0);
      double value = variables[v].doubleValue();
      String name = "input [" + expression.variables().get(v) + "]";
      read.add(
          Double.isNaN(value)
              ? Explanation.noMatch(name + " is missing")
              : Explanation.match(value, name));
    }
    double value = expression.compiled().evaluate(inputs);
    read.add(combined);
    return Double.isNaN(value)
        ? Explanation.match(
            combined.getValue(),
            "final [" + rule.source() + "] has no value: the score stays",
            read)
        : Explanation.match(
            ScoreCombination.bounded(value), "final [" + rule.source() + "], from:", read);
  }
}
