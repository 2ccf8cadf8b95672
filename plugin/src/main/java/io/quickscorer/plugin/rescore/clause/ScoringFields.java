// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.compile.Engines;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BatchPlans;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * The fields that say how a model scores and what its score becomes: of the clause, or where it has
 * stages, of each of them.
 */
final class ScoringFields {
  /** The fields, and how the value of each begins. */
  static final Map<String, Token> FIELDS =
      Map.of(
          "score_mode", Token.VALUE_STRING,
          "first_pass_weight", Token.VALUE_NUMBER,
          "model_weight", Token.VALUE_NUMBER,
          "output", Token.VALUE_STRING,
          "algorithm", Token.VALUE_STRING,
          "plan", Token.VALUE_STRING);

  private ScoreCombination.Mode mode = ScoreCombination.Mode.REPLACE;
  private float firstPassWeight = 1;
  private float modelWeight = 1;
  private boolean transformed;
  private Algorithm algorithm = Algorithm.AUTO;
  private @Nullable BatchPlans plan;

  /** Reads the value of one of the {@link #FIELDS}. */
  void read(String field, XContentParser parser) throws IOException {
    switch (field) {
      case "score_mode" -> mode = ScoreCombination.Mode.of(parser.text());
      case "first_pass_weight" -> firstPassWeight = parser.floatValue();
      case "model_weight" -> modelWeight = parser.floatValue();
      case "output" -> transformed = transformed(parser.text());
      case "plan" -> plan = BatchPlans.parse(parser.text(), Engines::named);
      default -> algorithm = Engines.named(parser.text());
    }
  }

  private static boolean transformed(String output) {
    return switch (output) {
      case "raw" -> false;
      case "transformed" -> true;
      default -> throw new IllegalArgumentException("must be raw or transformed");
    };
  }

  ScoreCombination combination() {
    return new ScoreCombination(mode, firstPassWeight, modelWeight);
  }

  boolean transformed() {
    return transformed;
  }

  Algorithm algorithm() {
    return algorithm;
  }

  @Nullable BatchPlans plan() {
    return plan;
  }

  /** Writes the fields as they are read. */
  static void write(
      XContentBuilder builder,
      ScoreCombination combination,
      boolean transformed,
      Algorithm algorithm,
      @Nullable BatchPlans plan)
      throws IOException {
    builder.field("score_mode", combination.mode().toString());
    builder.field("first_pass_weight", combination.firstPassWeight());
    builder.field("model_weight", combination.modelWeight());
    builder.field("output", transformed ? "transformed" : "raw");
    builder.field("algorithm", algorithm.label());
    if (plan != null) {
      builder.field("plan", plan.toString());
    }
  }

  /**
   * @throws IllegalArgumentException if a request names both
   */
  static void check(Algorithm algorithm, @Nullable BatchPlans plan) {
    if (algorithm != Algorithm.AUTO && plan != null) {
      throw new IllegalArgumentException("expected one of [algorithm] and [plan]");
    }
  }
}
