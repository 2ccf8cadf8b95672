// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.compile.Engines;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.door.Texts;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.rescore.clause.ClauseOptions.EarlierStage;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * Parses the {@code quickscorer} clause strictly: unknown fields are errors. Fields are declared in
 * a table, which tests compare with the API's description.
 */
final class ClauseParser {
  /** The prefix of each error message. */
  static final String ROOT = "[quickscorer] ";

  private static final int MAX_NAMES = 1_000;

  private static final Shape<ClauseParser> INTERLEAVE =
      new Shape<ClauseParser>()
          .whole("seed", Long.MIN_VALUE, Long.MAX_VALUE, (clause, seed) -> clause.seed = seed)
          .required("seed");

  static final Shape<ClauseParser> SHAPE =
      new Shape<ClauseParser>()
          .text("model", (clause, model) -> clause.model = model)
          .texts("models", MAX_NAMES, (clause, names) -> clause.models = filled(names))
          .objects(
              ClauseOptions.STAGES,
              MAX_NAMES,
              StagesParser.SHAPE,
              StagesParser.Stage::new,
              (clause, stages) -> clause.stages = StagesParser.of(stages))
          .texts("shadow_models", MAX_NAMES, (clause, names) -> clause.shadows = filled(names))
          .object("interleave", INTERLEAVE, (clause, in) -> INTERLEAVE.read(in, clause))
          .text(
              "experiment",
              (clause, name) -> clause.experiment = ResourceNames.check("experiment", name))
          .text("share_key", (clause, key) -> clause.shareKey = key)
          .text("feature_set", (clause, set) -> clause.featureSet = set)
          .map("params", (clause, params) -> clause.params = params)
          .bool("log", (clause, log) -> clause.log = log)
          .text(
              "outside_window",
              (clause, hits) ->
                  clause.outside = EnumNames.get(OutsideWindow.class, "[outside_window]", hits))
          .whole("budget_ms", Long.MIN_VALUE, Long.MAX_VALUE, (clause, ms) -> clause.budget = ms)
          .text(
              "on_budget",
              (clause, what) -> clause.failOnBudget = Texts.either("", what, "first_pass", "error"))
          .text("max_wait", (clause, text) -> clause.maxWait = maxWait(text))
          .text("scope", (clause, scope) -> clause.scope = Scope.of(scope))
          .text(
              FinalRules.FINAL,
              (clause, text) -> clause.finalExpression = FinalRules.expression(text))
          .number(FinalRules.MIN_MODEL_SCORE, (clause, score) -> clause.minModelScore = score)
          .whole(
              FinalRules.MAX_RANK,
              Integer.MIN_VALUE,
              Integer.MAX_VALUE,
              (clause, rank) -> clause.maxRank = (int) rank)
          .all(
              ScoringFields.SHAPE,
              (clause, field) -> {
                clause.scoringNames.add(field);
                return clause.scoring;
              });

  private @Nullable String model;
  private @Nullable List<String> models;
  private List<String> shadows = List.of();
  private @Nullable Long seed;
  private @Nullable String shareKey;
  private String experiment = "";
  private @Nullable String featureSet;
  private Map<String, Object> params = Map.of();
  private boolean log;
  private ScoringFields scoring = new ScoringFields();
  private final Set<String> scoringNames = new TreeSet<>();
  private @Nullable StagesParser stages;
  private OutsideWindow outside = OutsideWindow.KEEP_BELOW;
  private @Nullable Long budget;
  private @Nullable Boolean failOnBudget;
  private @Nullable TimeValue maxWait;
  private Scope scope = Scope.SHARD;
  private @Nullable String finalExpression;
  private @Nullable Double minModelScore;
  private @Nullable Integer maxRank;

  private ClauseParser() {}

  static ClauseOptions read(Input in) throws IOException {
    return SHAPE.read(in, new ClauseParser()).options();
  }

  static ClauseOptions of(String model) {
    ClauseParser clause = new ClauseParser();
    clause.model = model;
    return clause.options();
  }

  static ClauseOptions logging(String featureSet, Map<String, Object> params, Scope scope) {
    ClauseParser clause = new ClauseParser();
    clause.featureSet = featureSet;
    clause.params = params;
    clause.scope = scope;
    return clause.options();
  }

  static ClauseOptions parse(XContentParser parser, MemoryCharge memory) {
    try {
      return Door.within(parser, memory, ClauseOptions.MAX_BYTES, ROOT, ClauseParser::read);
    } catch (IllegalArgumentException e) {
      throw failure(parser, String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the exception for an error in a search request, with the line of the error. */
  static ParsingException failure(XContentParser parser, String message, Exception cause) {
    return new ParsingException(
        parser.getTokenLocation(), message.startsWith(ROOT) ? message : ROOT + message, cause);
  }

  private static List<String> filled(List<String> names) {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("the list is empty, expected one name or more");
    }
    return names;
  }

  private static TimeValue maxWait(String text) {
    TimeValue max = TimeValue.parseTimeValue(text, "max_wait");
    if (max.nanos() < 0) {
      throw new IllegalArgumentException("[max_wait] must be 0 or more, not [" + text + "]");
    }
    return max;
  }

  private ClauseOptions options() {
    if (model != null && models != null) {
      throw new IllegalArgumentException("[model] and [models] cannot be used together");
    }
    if (failOnBudget != null && budget == null) {
      throw new IllegalArgumentException("[on_budget] needs a [budget_ms]");
    }
    if (stages != null) {
      return staged(stages);
    }
    List<String> ranking = models != null ? models : model != null ? List.of(model) : List.of();
    return options(ranking, List.of());
  }

  private ClauseOptions staged(StagesParser parsed) {
    if (model != null || models != null || featureSet != null || seed != null) {
      throw new IllegalArgumentException(
          "[stages] cannot be used with [model], [models], [interleave] or [feature_set], because"
              + " each stage names its model");
    }
    if (!scoringNames.isEmpty()) {
      throw new IllegalArgumentException(
          "[stages] cannot be used with " + scoringNames + "; put these fields into the stages");
    }
    scoring = parsed.last();
    return options(List.of(parsed.lastModel()), parsed.earlier());
  }

  private ClauseOptions options(List<String> ranking, List<EarlierStage> earlier) {
    return new ClauseOptions(
        new ModelNames(ranking, shadows, seed, shareKey, experiment),
        featureSet,
        params,
        log || featureSet != null,
        scoring.combination(),
        outside,
        scoring.transformed(),
        scoring.algorithm(),
        budget == null ? null : new TimeBudget(budget, Boolean.TRUE.equals(failOnBudget)),
        maxWait,
        scope,
        new FinalRules(finalExpression, minModelScore, maxRank),
        earlier);
  }

  /**
   * The fields of a request that say how a model scores, and how its score is combined with the
   * score of the search's own query. A clause has these fields, and so has each of its stages.
   */
  static final class ScoringFields {
    static final Shape<ScoringFields> SHAPE =
        new Shape<ScoringFields>()
            .text(
                "score_mode",
                (fields, mode) ->
                    fields.mode = EnumNames.get(ScoreCombination.Mode.class, "[score_mode]", mode))
            .single("first_pass_weight", (fields, weight) -> fields.firstPassWeight = weight)
            .single("model_weight", (fields, weight) -> fields.modelWeight = weight)
            .text(
                "output",
                (fields, output) ->
                    fields.transformed = Texts.either("", output, "raw", "transformed"))
            .text("algorithm", (fields, name) -> fields.algorithm = Engines.named(name));

    private ScoreCombination.Mode mode = ScoreCombination.Mode.REPLACE;
    private float firstPassWeight = 1;
    private float modelWeight = 1;
    private boolean transformed;
    private Algorithm algorithm = Algorithm.AUTO;

    ScoreCombination combination() {
      return new ScoreCombination(mode, firstPassWeight, modelWeight);
    }

    boolean transformed() {
      return transformed;
    }

    Algorithm algorithm() {
      return algorithm;
    }

    /** Writes the arguments as JSON fields, in the same form as in a request. */
    static void write(
        XContentBuilder builder,
        ScoreCombination combination,
        boolean transformed,
        Algorithm algorithm)
        throws IOException {
      builder.field("score_mode", EnumNames.of(combination.mode()));
      builder.field("first_pass_weight", combination.firstPassWeight());
      builder.field("model_weight", combination.modelWeight());
      builder.field("output", transformed ? "transformed" : "raw");
      builder.field("algorithm", algorithm.label());
    }
  }
}
