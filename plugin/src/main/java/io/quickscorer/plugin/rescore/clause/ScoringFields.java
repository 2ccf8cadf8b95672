// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.compile.Engines;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * The fields that determine how a model scores, and how its score is combined. They are fields of
 * the clause or, if it has stages, of each stage.
 */
final class ScoringFields {
  static final Shape<ScoringFields> SHAPE =
      new Shape<ScoringFields>()
          .text(
              "score_mode",
              (fields, mode) ->
                  fields.mode = EnumNames.get(ScoreCombination.Mode.class, "[score_mode]", mode))
          .single("first_pass_weight", (fields, weight) -> fields.firstPassWeight = weight)
          .single("model_weight", (fields, weight) -> fields.modelWeight = weight)
          .text("output", (fields, output) -> fields.transformed = transformed(output))
          .text("algorithm", (fields, name) -> fields.algorithm = Engines.named(name));

  private ScoreCombination.Mode mode = ScoreCombination.Mode.REPLACE;
  private float firstPassWeight = 1;
  private float modelWeight = 1;
  private boolean transformed;
  private Algorithm algorithm = Algorithm.AUTO;

  private static boolean transformed(String output) {
    return switch (output) {
      case "raw" -> false;
      case "transformed" -> true;
      default -> throw new IllegalArgumentException("expected raw or transformed");
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

  /** Writes these fields in the form in which requests contain them. */
  static void write(
      XContentBuilder builder,
      ScoreCombination combination,
      boolean transformed,
      Algorithm algorithm)
      throws IOException {
    builder.field("score_mode", combination.mode().toString());
    builder.field("first_pass_weight", combination.firstPassWeight());
    builder.field("model_weight", combination.modelWeight());
    builder.field("output", transformed ? "transformed" : "raw");
    builder.field("algorithm", algorithm.label());
  }
}
