// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.feature.LuceneExpression.InputColumn;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Explanation;

/**
 * Computes the scores by which hits are sorted: combines the score of the search's own query (the
 * first pass) with the model's score, and applies the clause's {@code final} expression. If the
 * expression has no value because the hit lacks a field, the expression is not applied.
 *
 * @param matrix the values of the ranking model's features; read only if there is an expression
 * @param columns element f is the column of feature f in the matrix
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record FinalScores(
    RescoreServices services,
    ClauseOptions options,
    BoundClause bound,
    FeatureMatrix matrix,
    int[] columns) {
  /**
   * Computes the scores by which hits are sorted.
   *
   * @param firstPass the hits' scores by the search's own query
   * @param model the hits' scores by the ranking model
   */
  public float[] of(float[] firstPass, double[] model) throws IOException {
    LuceneExpression.Bound rule = bound.rule();
    if (rule == null) {
      return options.combination().combine(firstPass, model);
    }
    double[] scores = combined(firstPass, model);
    double[] values = new double[model.length];
    expression(rule).evaluate(variables(rule, firstPass, model, scores, 0), values);
    float[] bounded = new float[model.length];
    for (int i = 0; i < bounded.length; i++) {
      bounded[i] = ScoreCombination.bounded(Double.isNaN(values[i]) ? scores[i] : values[i]);
    }
    return bounded;
  }

  private LuceneExpression expression(LuceneExpression.Bound rule) {
    return services.expressions().get(rule.source());
  }

  private double[] combined(float[] firstPass, double[] model) {
    double[] scores = new double[model.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = options.combination().value(firstPass[i], model[i]);
    }
    return scores;
  }

  /**
   * Returns one column per variable of a {@code final} expression: the variable's values for
   * consecutive hits.
   *
   * @param scores the combined scores of the hits
   * @param hit the first hit's index in the matrix
   */
  private InputColumn[] variables(
      LuceneExpression.Bound rule, float[] firstPass, double[] model, double[] scores, int hit) {
    InputColumn[] variables = new InputColumn[rule.arguments().size()];
    for (int v = 0; v < variables.length; v++) {
      LuceneExpression.Bound.Argument argument = rule.arguments().get(v);
      variables[v] =
          switch (argument.column()) {
            case -1 -> new InputColumn(argument.number());
            case BoundClause.SCORE -> new InputColumn(scores);
            case BoundClause.MODEL_SCORE -> new InputColumn(model);
            case BoundClause.FIRST_PASS_SCORE ->
                new InputColumn(new ShardFeature.Column(firstPass, 0));
            default -> {
              int place = argument.column() - BoundClause.FIRST_FEATURE;
              yield new InputColumn(
                  new ShardFeature.Column(matrix.values(), matrix.column(columns[place]) + hit));
            }
          };
    }
    return variables;
  }

  /**
   * Explains the score by which a hit is sorted.
   *
   * @param hit the hit's index in the matrix
   * @param byModel explains the model's score
   * @param source explains the score by the search's own query
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
    LuceneExpression.Bound rule = bound.rule();
    if (rule == null) {
      return combined;
    }
    LuceneExpression expression = expression(rule);
    InputColumn[] variables = variables(rule, first, new double[] {model}, scores, hit);
    List<Explanation> read = new ArrayList<>();
    for (int v = 0; v < variables.length; v++) {
      variables[v].moveTo(0);
      double value = variables[v].doubleValue();
      String name = "input [" + expression.variables().get(v) + "]";
      read.add(
          Double.isNaN(value)
              ? Explanation.noMatch(name + " is missing")
              : Explanation.match(value, name));
    }
    double[] values = new double[1];
    expression.evaluate(variables, values);
    double value = values[0];
    read.add(combined);
    return Double.isNaN(value)
        ? Explanation.match(
            combined.getValue(),
            "final [" + rule.source() + "] has no value, so the score is unchanged",
            read)
        : Explanation.match(
            ScoreCombination.bounded(value), "final [" + rule.source() + "], from:", read);
  }
}
