// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.template.WellFormed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Reads the {@code quickscorer} clause strictly: what it does not know, it refuses. A table of our
 * own and not the server's {@code ObjectParser}: the description of the API is held against it.
 */
final class ClauseParser {
  /** Levels of objects and arrays inside one another that parameters may have. */
  static final int MAX_DEPTH = 100;

  /** The fields that no stage has. */
  private static final Map<String, Token> OTHERS =
      Map.ofEntries(
          Map.entry("model", Token.VALUE_STRING),
          Map.entry("models", Token.START_ARRAY),
          Map.entry(ClauseOptions.STAGES, Token.START_ARRAY),
          Map.entry("shadow_models", Token.START_ARRAY),
          Map.entry("interleave", Token.START_OBJECT),
          Map.entry("share_key", Token.VALUE_STRING),
          Map.entry("feature_set", Token.VALUE_STRING),
          Map.entry("params", Token.START_OBJECT),
          Map.entry("log", Token.VALUE_BOOLEAN),
          Map.entry("outside_window", Token.VALUE_STRING),
          Map.entry("budget_ms", Token.VALUE_NUMBER),
          Map.entry("on_budget", Token.VALUE_STRING),
          Map.entry("scope", Token.VALUE_STRING),
          Map.entry(FinalRules.FINAL, Token.VALUE_STRING),
          Map.entry(FinalRules.MIN_MODEL_SCORE, Token.VALUE_NUMBER),
          Map.entry(FinalRules.MAX_RANK, Token.VALUE_NUMBER));

  /** The fields, and how the value of each begins. */
  static final Map<String, Token> FIELDS = fields();

  private static Map<String, Token> fields() {
    Map<String, Token> fields = new HashMap<>(ScoringFields.FIELDS);
    fields.putAll(OTHERS);
    return Map.copyOf(fields);
  }

  private @Nullable String model;
  private @Nullable List<String> models;
  private List<String> shadows = List.of();
  private @Nullable Long seed;
  private @Nullable String shareKey;
  private @Nullable String featureSet;
  private Map<String, Object> params = Map.of();
  private boolean log;
  private ScoringFields scoring = new ScoringFields();
  private final Set<String> beside = new TreeSet<>();
  private @Nullable StagesParser stages;
  private OutsideWindow outside = OutsideWindow.KEEP_BELOW;
  private @Nullable Long budget;
  private @Nullable Boolean failOnBudget;
  private Scope scope = Scope.SHARD;
  private @Nullable String finalExpression;
  private @Nullable Double minModelScore;
  private @Nullable Integer maxRank;

  private ClauseParser() {}

  static ClauseOptions parse(XContentParser parser) throws IOException {
    ClauseParser clause = new ClauseParser();
    String field = "";
    Token token;
    while ((token = parser.nextToken()) != Token.END_OBJECT) {
      if (token == Token.FIELD_NAME) {
        field = parser.currentName();
        continue;
      }
      expect(field, token, parser);
      try {
        clause.read(field, parser);
      } catch (IllegalArgumentException e) {
        throw new ParsingException(
            parser.getTokenLocation(), "[quickscorer] " + field + ": " + e.getMessage(), e);
      } catch (OpenSearchException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // Whatever the parser of the media type throws, the body is at fault.
        throw new ParsingException(
            parser.getTokenLocation(),
            "[quickscorer] " + field + ": can't be read, or has too many levels",
            e);
      }
    }
    try {
      return clause.options();
    } catch (IllegalArgumentException e) {
      throw new ParsingException(parser.getTokenLocation(), "[quickscorer] " + e.getMessage(), e);
    }
  }

  private static void expect(String field, Token token, XContentParser parser) {
    String unexpected = unexpected(FIELDS, field, token);
    if (unexpected != null) {
      throw new ParsingException(parser.getTokenLocation(), "[quickscorer] " + unexpected);
    }
  }

  /**
   * What is wrong with a field, or null.
   *
   * @param token with which its value begins
   */
  static @Nullable String unexpected(Map<String, Token> fields, String field, Token token) {
    Token expected = fields.get(field);
    if (expected == null) {
      return "unknown field [" + field + "]";
    }
    return token == expected
        ? null
        : field
            + ": expected "
            + expected.name().toLowerCase(Locale.ROOT)
            + ", not "
            + token.name().toLowerCase(Locale.ROOT);
  }

  private void read(String field, XContentParser parser) throws IOException {
    switch (field) {
      case "model" -> model = text(parser);
      case "models" -> models = names(parser);
      case "shadow_models" -> shadows = names(parser);
      case "interleave" -> seed = seed(parser);
      case "feature_set" -> featureSet = text(parser);
      case "params" -> params = WellFormed.value(field, parser.mapOrdered(), MAX_DEPTH);
      case "log" -> log = parser.booleanValue();
      case "outside_window" -> outside = OutsideWindow.of(parser.text());
      case "budget_ms" -> budget = parser.longValue(false);
      case "scope" -> scope = Scope.of(parser.text());
      case "share_key" -> shareKey = WellFormed.text(field, parser.text());
      case FinalRules.FINAL -> finalExpression = FinalRules.expression(text(parser));
      case FinalRules.MIN_MODEL_SCORE -> minModelScore = parser.doubleValue();
      case FinalRules.MAX_RANK -> maxRank = parser.intValue(false);
      case "on_budget" -> failOnBudget = TimeBudget.error(parser.text());
      case ClauseOptions.STAGES -> stages = StagesParser.parse(parser);
      default -> {
        scoring.read(field, parser);
        beside.add(field);
      }
    }
  }

  private static String text(XContentParser parser) throws IOException {
    return WellFormed.text("name", parser.text());
  }

  private static List<String> names(XContentParser parser) throws IOException {
    List<String> names = new ArrayList<>();
    while (parser.nextToken() != Token.END_ARRAY) {
      if (parser.currentToken() != Token.VALUE_STRING) {
        throw new IllegalArgumentException("expected an array of names");
      }
      names.add(text(parser));
    }
    if (names.isEmpty()) {
      throw new IllegalArgumentException("is empty");
    }
    return names;
  }

  private static long seed(XContentParser parser) throws IOException {
    Long seed = null;
    while (parser.nextToken() != Token.END_OBJECT) {
      String field = parser.currentName();
      if (!field.equals("seed") || parser.nextToken() != Token.VALUE_NUMBER) {
        throw new IllegalArgumentException("expected {\"seed\": number}");
      }
      seed = parser.longValue(false);
    }
    if (seed == null) {
      throw new IllegalArgumentException(
          "expected a [seed]: one per user or query, so that neither model is always drawn first");
    }
    return seed;
  }

  private ClauseOptions options() {
    if (model != null && models != null) {
      throw new IllegalArgumentException("[model] and [models] exclude each other");
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
          "[stages] name the models: they exclude [model], [models], [interleave] and"
              + " [feature_set]");
    }
    if (!beside.isEmpty()) {
      throw new IllegalArgumentException(
          "[stages] have fields of their own: put " + beside + " into a stage");
    }
    scoring = parsed.last();
    return options(List.of(parsed.lastModel()), parsed.earlier());
  }

  private ClauseOptions options(List<String> ranking, List<EarlierStage> earlier) {
    return new ClauseOptions(
        new ModelNames(ranking, shadows, seed, shareKey),
        featureSet,
        params,
        log || featureSet != null,
        scoring.combination(),
        outside,
        scoring.transformed(),
        scoring.algorithm(),
        scoring.plan(),
        budget == null ? null : new TimeBudget(budget, Boolean.TRUE.equals(failOnBudget)),
        scope,
        new FinalRules(finalExpression, minModelScore, maxRank),
        earlier);
  }
}
