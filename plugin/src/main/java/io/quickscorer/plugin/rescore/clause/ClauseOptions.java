// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.compile.Engines;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BatchPlans;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * What a user writes in the {@code quickscorer} clause. Immutable.
 *
 * @param names the models, none if {@code featureSet} is given
 * @param featureSet a feature set to log for hits that keep their order, or null
 * @param params values for the features' parameters
 * @param log whether each hit shows its feature values
 * @param combination how first-pass and model score are combined
 * @param outsideWindow what becomes of hits beyond the window
 * @param transformed whether the model's score is its trainer's transformed output, not the raw one
 * @param algorithm the engine asked for
 * @param plan the plans prescribed instead, or null
 * @param budget the time allowed, or null for as long as it takes
 * @param scope whose hits make up the window
 * @param rules what is done to the ranking then
 */
public record ClauseOptions(
    ModelNames names,
    @Nullable String featureSet,
    Map<String, Object> params,
    boolean log,
    ScoreCombination combination,
    OutsideWindow outsideWindow,
    boolean transformed,
    Algorithm algorithm,
    @Nullable BatchPlans plan,
    @Nullable TimeBudget budget,
    Scope scope,
    FinalRules rules)
    implements Writeable, ToXContentFragment {

  public ClauseOptions {
    if (names.models().isEmpty() == (featureSet == null)) {
      throw new IllegalArgumentException("expected one of [model], [models] and [feature_set]");
    }
    if (algorithm != Algorithm.AUTO && plan != null) {
      throw new IllegalArgumentException("expected one of [algorithm] and [plan]");
    }
    if (featureSet != null && !rules.equals(FinalRules.NONE)) {
      throw new IllegalArgumentException(
          "[final], [min_model_score] and [max_rank] need a model: a feature set ranks nothing");
    }
    if (rules.cuts() && (scope != Scope.GLOBAL || names.seed() != null)) {
      throw new IllegalArgumentException(
          "[min_model_score] and [max_rank] need [scope] global, and exclude [interleave]");
    }
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
  }

  public ClauseOptions(StreamInput in) throws IOException {
    this(
        new ModelNames(in),
        in.readOptionalString(),
        map(in),
        in.readBoolean(),
        new ScoreCombination(in),
        EnumNames.read(in, OutsideWindow.class),
        in.readBoolean(),
        Engines.named(in.readString()),
        plan(in.readOptionalString()),
        in.readOptionalWriteable(TimeBudget::new),
        scope(in),
        Wire.version(in) == Wire.FIRST ? FinalRules.NONE : new FinalRules(in));
  }

  private static @Nullable BatchPlans plan(@Nullable String text) {
    return text == null ? null : BatchPlans.parse(text, Engines::named);
  }

  private static Scope scope(StreamInput in) throws IOException {
    return Wire.version(in) == Wire.FIRST ? Scope.SHARD : EnumNames.read(in, Scope.class);
  }

  /** Whether the model's own engine scores, as it was compiled when it was loaded. */
  public boolean usesOwnEngine() {
    return algorithm == Algorithm.AUTO && plan == null;
  }

  /** Logs a feature set for hits that keep their order. */
  public static ClauseOptions logging(String featureSet, Map<String, Object> params, Scope scope) {
    return new ClauseOptions(
        ModelNames.NONE,
        featureSet,
        params,
        true,
        ScoreCombination.REPLACE,
        OutsideWindow.KEEP_BELOW,
        false,
        Algorithm.AUTO,
        null,
        null,
        scope,
        FinalRules.NONE);
  }

  private static Map<String, Object> map(StreamInput in) throws IOException {
    Map<String, Object> map = in.readMap();
    return map == null ? Map.of() : map;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    names.writeTo(out);
    out.writeOptionalString(featureSet);
    out.writeMap(params);
    out.writeBoolean(log);
    combination.writeTo(out);
    EnumNames.write(out, outsideWindow);
    out.writeBoolean(transformed);
    out.writeString(algorithm.label());
    out.writeOptionalString(plan == null ? null : plan.toString());
    out.writeOptionalWriteable(budget);
    if (Wire.version(out) > Wire.FIRST) {
      EnumNames.write(out, scope);
      rules.writeTo(out);
    } else if (isGlobal()) {
      throw Wire.behind(out, "[scope] global");
    } else if (!rules.equals(FinalRules.NONE)) {
      throw Wire.behind(out, "[final]");
    }
  }

  /** Whether the best hits of all shards are ranked together. */
  public boolean isGlobal() {
    return scope == Scope.GLOBAL;
  }

  /** Whether shards send anything of this clause with their hits besides the score. */
  public boolean shows() {
    return log || names.showScores() || isGlobal();
  }

  /** The same with other models. */
  public ClauseOptions with(ModelNames others) {
    return new ClauseOptions(
        others,
        featureSet,
        params,
        log,
        combination,
        outsideWindow,
        transformed,
        algorithm,
        plan,
        budget,
        scope,
        rules);
  }

  /** The same with other parameters. */
  public ClauseOptions with(Map<String, Object> otherParams) {
    return new ClauseOptions(
        names,
        featureSet,
        otherParams,
        log,
        combination,
        outsideWindow,
        transformed,
        algorithm,
        plan,
        budget,
        scope,
        rules);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params xContent) throws IOException {
    if (names.models().size() == 1) {
      builder.field("model", names.models().getFirst());
    } else if (!names.models().isEmpty()) {
      builder.field("models", names.models());
    }
    if (!names.shadows().isEmpty()) {
      builder.field("shadow_models", names.shadows());
    }
    if (names.seed() != null) {
      builder.startObject("interleave").field("seed", names.seed()).endObject();
    }
    if (names.shareKey() != null) {
      builder.field("share_key", names.shareKey());
    }
    if (featureSet != null) {
      builder.field("feature_set", featureSet);
    }
    builder.field("params", params);
    builder.field("log", log);
    builder.field("score_mode", combination.mode().toString());
    builder.field("first_pass_weight", combination.firstPassWeight());
    builder.field("model_weight", combination.modelWeight());
    builder.field("outside_window", outsideWindow.toString());
    builder.field("output", transformed ? "transformed" : "raw");
    builder.field("algorithm", algorithm.label());
    if (plan != null) {
      builder.field("plan", plan.toString());
    }
    builder.field("scope", scope.toString());
    if (budget != null) {
      builder.field("budget_ms", budget.millis());
      builder.field("on_budget", budget.error() ? "error" : "first_pass");
    }
    return rules.toXContent(builder, xContent);
  }

  /**
   * Reads the clause's object.
   *
   * @param parser at the object's start
   * @throws ParsingException if a field is unknown or has the wrong type or value
   */
  public static ClauseOptions parse(XContentParser parser) throws IOException {
    return ClauseParser.parse(parser);
  }
}
