// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.HeapBudget;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContentFragment;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/**
 * The options of the clause {@code quickscorer}, an object under {@code rescore} in a search.
 * Immutable.
 *
 * @param names the models; none if {@code featureSet} is given
 * @param featureSet the feature set whose values are logged, while hits keep their order; null if
 *     there are models
 * @param params values of the features' parameters
 * @param log whether each hit in the response contains its feature values
 * @param combination how the score of the search's own query and the model's score are combined
 * @param outsideWindow the handling of hits that the model does not score
 * @param transformed whether the model's score is its trainer's transformed output, such as a
 *     probability, not the raw sum of its trees
 * @param algorithm the algorithm that computes the model's scores
 * @param budget the maximum time for rescoring on a shard; null for no limit
 * @param maxWait how long the search waits on a node for models that are not loaded there; null for
 *     the node's setting
 * @param scope whether the hits of one shard or of all shards are ranked together
 * @param rules the rules that change scores or remove hits at the end
 * @param stages the stages before the last one, each with a model that ranks the best hits of the
 *     stage before it; the other options are those of the last stage
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
    @Nullable TimeBudget budget,
    @Nullable TimeValue maxWait,
    Scope scope,
    FinalRules rules,
    List<EarlierStage> stages)
    implements WireRecord, ToXContentFragment {
  static final String STAGES = "stages";

  /**
   * Maximum heap bytes of a clause's parameters and names, which are in memory until the search
   * ends.
   */
  public static final int MAX_BYTES = 16 << 20;

  /** Maximum number of stages of a clause, with the last one; see {@link BoundClause.Stage}. */
  public static final int MAX_STAGES = 3;

  public ClauseOptions {
    if (names.models().isEmpty() == (featureSet == null)) {
      throw new IllegalArgumentException("expected one of [model], [models] and [feature_set]");
    }
    if (featureSet != null && !rules.equals(FinalRules.NONE)) {
      throw new IllegalArgumentException(
          "[final], [min_model_score] and [max_rank] need a model, because a feature set alone does"
              + " not rank the hits");
    }
    if (rules.cuts() && (scope != Scope.GLOBAL || names.seed() != null)) {
      throw new IllegalArgumentException(
          "[min_model_score] and [max_rank] need [scope] global, and cannot be used with"
              + " [interleave]");
    }
    params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    stages = List.copyOf(stages);
    if (!stages.isEmpty()) {
      checkStages(stages.size() + 1);
      checkFalling(stages);
      checkDistinct(names, stages);
      if (names.models().size() != 1 || scope != Scope.SHARD) {
        throw new IllegalArgumentException(
            "[stages] cannot be used with [models] or [scope] global, because each shard keeps its"
                + " own hits of a stage");
      }
      if (outsideWindow == OutsideWindow.MIX) {
        throw new IllegalArgumentException(
            "[stages] cannot be used with [outside_window] mix, because scores of different models"
                + " cannot be compared");
      }
    }
  }

  /**
   * Checks the number of {@linkplain BoundClause.Stage stages} of a clause.
   *
   * @param count the number of stages, including the last one
   * @throws IllegalArgumentException if the number is not 2 to {@link #MAX_STAGES}
   */
  static void checkStages(int count) {
    if (count < 2 || count > MAX_STAGES) {
      throw new IllegalArgumentException(
          "[stages] must have 2 to " + MAX_STAGES + " stages, not " + count);
    }
  }

  private static void checkFalling(List<EarlierStage> stages) {
    for (int s = 1; s < stages.size(); s++) {
      int before = stages.get(s - 1).keep();
      if (stages.get(s).keep() >= before) {
        throw keepsAll(
            s, stages.get(s).keep(), "the " + before + " hits that stage " + s + " keeps");
      }
    }
  }

  /**
   * Checks that the first stage ranks more hits than it passes to the second stage.
   *
   * @param windowSize the number of hits that the first stage ranks
   * @throws IllegalArgumentException if the first stage would pass all its hits to the second
   */
  public void checkWindow(int windowSize) {
    if (!stages.isEmpty() && stages.getFirst().keep() >= windowSize) {
      throw keepsAll(0, stages.getFirst().keep(), "[window_size] " + windowSize);
    }
  }

  private static IllegalArgumentException keepsAll(int stage, int keep, String hits) {
    return new IllegalArgumentException(
        "[stages] stage " + (stage + 1) + ": [keep] " + keep + " must be less than " + hits);
  }

  private static void checkDistinct(ModelNames names, List<EarlierStage> stages) {
    Set<String> distinct = new HashSet<>(names.all());
    for (EarlierStage stage : stages) {
      if (!distinct.add(stage.model())) {
        throw new IllegalArgumentException("[stages] name model [" + stage.model() + "] twice");
      }
    }
  }

  /**
   * Returns whether the clause leaves the choice of the engine (algorithm) to the node, which uses
   * the one for which it has compiled the model.
   */
  public boolean usesOwnEngine() {
    return algorithm == Algorithm.AUTO;
  }

  /** Returns the options of a clause that only logs the values of a feature set. */
  public static ClauseOptions logging(String featureSet, Map<String, Object> params, Scope scope) {
    return ClauseParser.logging(featureSet, params, scope);
  }

  /** Returns whether the best hits of all shards are ranked together. */
  public boolean isGlobal() {
    return scope == Scope.GLOBAL;
  }

  /** Returns whether shards send data of this clause with each hit, in addition to the score. */
  public boolean shows() {
    return log || names.showScores() || isGlobal();
  }

  /**
   * Returns the names of the models of all {@linkplain BoundClause.Stage stages}: first those of
   * the last stage, then those of the earlier stages in order.
   */
  public List<String> allNames() {
    List<String> all = names.all();
    stages.forEach(stage -> all.add(stage.model()));
    return all;
  }

  /**
   * Returns whether {@link #usesOwnEngine} is true for all {@linkplain BoundClause.Stage stages}.
   */
  public boolean allUseOwnEngines() {
    return usesOwnEngine()
        && stages.stream().allMatch(stage -> stage.algorithm() == Algorithm.AUTO);
  }

  /**
   * Returns the options of an {@linkplain BoundClause.Stage earlier stage} as those of a separate
   * clause.
   */
  ClauseOptions of(EarlierStage stage) {
    return new ClauseOptions(
        ModelNames.of(stage.model()),
        null,
        params,
        false,
        stage.combination(),
        outsideWindow,
        stage.transformed(),
        stage.algorithm(),
        budget,
        maxWait,
        scope,
        FinalRules.NONE,
        List.of());
  }

  /**
   * Returns the options of the last {@linkplain BoundClause.Stage stage} as those of a separate
   * clause; this object if it is the only stage.
   */
  ClauseOptions ofLast() {
    return stages.isEmpty() ? this : with(names, params, List.of());
  }

  /** Returns a copy of these options with different models. */
  public ClauseOptions with(ModelNames others) {
    return with(others, params, stages);
  }

  /** Returns a copy of these options with different parameters. */
  public ClauseOptions with(Map<String, Object> otherParams) {
    return with(names, otherParams, stages);
  }

  private ClauseOptions with(
      ModelNames otherNames, Map<String, Object> otherParams, List<EarlierStage> otherStages) {
    return new ClauseOptions(
        otherNames,
        featureSet,
        otherParams,
        log,
        combination,
        outsideWindow,
        transformed,
        algorithm,
        budget,
        maxWait,
        scope,
        rules,
        otherStages);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params xContent) throws IOException {
    if (!stages.isEmpty()) {
      builder.startArray(STAGES);
      for (EarlierStage stage : stages) {
        stage.toXContent(builder, xContent);
      }
      builder.startObject().field(EarlierStage.MODEL, names.models().getFirst());
      ClauseParser.ScoringFields.write(builder, combination, transformed, algorithm);
      builder.endObject().endArray();
    } else if (names.models().size() == 1) {
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
    if (!names.experiment().isEmpty()) {
      builder.field("experiment", names.experiment());
    }
    if (names.shareKey() != null) {
      builder.field("share_key", names.shareKey());
    }
    if (featureSet != null) {
      builder.field("feature_set", featureSet);
    }
    builder.field("params", params);
    builder.field("log", log);
    if (stages.isEmpty()) {
      ClauseParser.ScoringFields.write(builder, combination, transformed, algorithm);
    }
    builder.field("outside_window", EnumNames.of(outsideWindow));
    builder.field("scope", EnumNames.of(scope));
    if (budget != null) {
      builder.field("budget_ms", budget.millis());
      builder.field("on_budget", budget.error() ? "error" : "first_pass");
    }
    if (maxWait != null) {
      builder.field("max_wait", maxWait.getStringRep());
    }
    return rules.toXContent(builder, xContent);
  }

  /**
   * Parses the options in a JSON object that another node wrote.
   *
   * @throws IllegalArgumentException (400) if a field is unknown or has the wrong type or value
   */
  public static ClauseOptions read(BytesReference json) {
    return Door.body(
        ClauseParser.ROOT,
        MediaTypeRegistry.JSON,
        json,
        HeapBudget.limited(MAX_BYTES),
        ClauseParser::read);
  }

  /** Returns the options of a clause that ranks by a model, with defaults for everything else. */
  public static ClauseOptions of(String model) {
    return ClauseParser.of(model);
  }

  /**
   * Parses the options in a clause of a search request.
   *
   * @param parser at the start of the clause's object
   * @param memory receives the charge for the options; closed if this method throws an exception
   * @throws ParsingException if a field is unknown or has the wrong type or value
   */
  public static ClauseOptions parse(XContentParser parser, MemoryCharge memory) throws IOException {
    return ClauseParser.parse(parser, memory);
  }

  /**
   * A stage of a clause before the last one: its model ranks hits, and the next stage ranks the
   * best of them. Immutable.
   *
   * @param model the model's name, or an alias
   * @param keep the number of best hits of a shard that the next stage ranks; at least 1
   * @param combination how the score of the search's own query and the model's score are combined
   * @param transformed whether the model's score is its trainer's transformed output, such as a
   *     probability, not the raw sum of its trees
   * @param algorithm the algorithm that computes the model's scores
   */
  public record EarlierStage(
      String model,
      int keep,
      ScoreCombination combination,
      boolean transformed,
      Algorithm algorithm)
      implements WireRecord, ToXContentObject {
    static final String MODEL = "model";
    static final String KEEP = "keep";

    public EarlierStage {
      if (keep < 1) {
        throw new IllegalArgumentException("[" + KEEP + "] must be 1 or more, not " + keep);
      }
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field(MODEL, model).field(KEEP, keep);
      ClauseParser.ScoringFields.write(builder, combination, transformed, algorithm);
      return builder.endObject();
    }
  }
}
