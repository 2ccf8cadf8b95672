// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.ClauseTrace;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchExtBuilder;

/**
 * The section {@code ext.quickscorer} of a response: one JSON object per clause of the search,
 * which says how the clause ranked the hits. Immutable.
 */
final class RescoreExt extends SearchExtBuilder {
  public static final String NAME = EnsembleRescorerBuilder.NAME;
  private static final String MODELS = "models";
  private static final String SHADOW_MODELS = "shadow_models";
  private static final String STAGES = "stages";
  private static final String FALLBACK = "fallback";
  private static final String FEATURE_NAMES = "feature_names";

  private final List<Map<String, Object>> clauses;

  private RescoreExt(List<Map<String, Object>> clauses) {
    this.clauses = List.copyOf(clauses);
  }

  private RescoreExt(StreamInput in) throws IOException {
    this(in.readList(StreamInput::readMap));
  }

  /**
   * Reads a section {@code ext.quickscorer} of a response or of a request, as another node sent it.
   */
  public static SearchExtBuilder read(StreamInput in) throws IOException {
    Wire.head(in);
    return in.readBoolean() ? new RequestExt(in) : new RescoreExt(in);
  }

  /**
   * Returns the section for a response, which describes the search's clauses.
   *
   * @param traces the used versions of models, one element per clause
   */
  public static RescoreExt of(List<EnsembleRescorerBuilder> clauses, List<ClauseTrace> traces) {
    List<Map<String, Object>> described = new ArrayList<>();
    for (int c = 0; c < clauses.size(); c++) {
      described.add(describe(clauses.get(c).options(), traces.get(c).binding()));
    }
    return new RescoreExt(described);
  }

  private static Map<String, Object> describe(
      ClauseOptions options, ClauseTrace.@Nullable Binding binding) {
    Map<String, Object> clause = new LinkedHashMap<>();
    if (binding != null) {
      List<Object> models = new ArrayList<>();
      List<Object> shadows = new ArrayList<>();
      for (BoundClause.BoundModel model : binding.clause().models()) {
        (models.size() < options.names().models().size() ? models : shadows).add(describe(model));
      }
      if (!models.isEmpty()) {
        clause.put(MODELS, models);
      }
      if (!shadows.isEmpty()) {
        clause.put(SHADOW_MODELS, shadows);
      }
      if (!options.stages().isEmpty()) {
        clause.put(STAGES, stages(options, binding.clause()));
      }
      if (options.log()) {
        clause.put(FEATURE_NAMES, binding.features());
      }
      clause.put("bind_time_in_nanos", binding.nanos());
    }
    if (!options.names().experiment().isEmpty()) {
      clause.put("experiment", options.names().experiment());
    }
    if (options.isGlobal()) {
      clause.put("scope", EnumNames.of(options.scope()));
    }
    if (options.budget() != null) {
      clause.put("budget_ms", options.budget().millis());
      clause.put(FALLBACK, false);
    }
    return clause;
  }

  /**
   * Returns descriptions of a clause's earlier stages. In each stage, a model ranks the best hits
   * of the stage before; the model of the last stage is not described here.
   */
  private static List<Object> stages(ClauseOptions options, BoundClause bound) {
    List<Object> stages = new ArrayList<>();
    for (int s = 0; s < bound.stages().size(); s++) {
      Map<String, Object> stage = describe(bound.stages().get(s));
      stage.put("keep", options.stages().get(s).keep());
      stages.add(stage);
    }
    return stages;
  }

  private static Map<String, Object> describe(BoundClause.BoundModel model) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("name", model.name());
    if (!model.name().equals(model.id().name())) {
      described.put("model", model.id().name());
    }
    described.put("version", model.id().version());
    return described;
  }

  /** Returns a copy with one more entry in the description of the last clause. */
  private RescoreExt with(String key, Object value) {
    List<Map<String, Object>> changed = new ArrayList<>(clauses);
    Map<String, Object> last = new LinkedHashMap<>(changed.removeLast());
    last.put(key, value);
    changed.add(last);
    return new RescoreExt(changed);
  }

  /**
   * Returns a copy with the numbers of hits that the last clause's rules removed.
   *
   * @param belowScore the number of hits below the minimum score
   * @param beyondRank the number of hits after the maximum rank
   */
  public RescoreExt cut(int belowScore, int beyondRank) {
    return with("cut", Map.of("min_model_score", belowScore, "max_rank", beyondRank));
  }

  /**
   * Returns a copy that says that the last clause ran out of time, so that hits have the order of
   * the search's own query.
   */
  public RescoreExt fallenBack() {
    return with(FALLBACK, true);
  }

  /**
   * Returns the section for a response that is not ranked because the ranking failed, in a search
   * pipeline that ignores failures.
   *
   * @param failure the failure's message
   */
  public static RescoreExt ignored(String failure) {
    Map<String, Object> clause = new LinkedHashMap<>();
    clause.put(FALLBACK, true);
    clause.put("ignored_failure", failure);
    return new RescoreExt(List.of(clause));
  }

  /** Returns the section for a response that a search pipeline did not rank, with the reason. */
  public static RescoreExt leftAlone(PipelineStats.Left reason) {
    Map<String, Object> search = Map.of("left_alone", EnumNames.of(reason));
    return new RescoreExt(List.of(search));
  }

  public boolean hasFallenBack() {
    return !clauses.isEmpty() && Boolean.TRUE.equals(clauses.getLast().get(FALLBACK));
  }

  /** Returns the names of the features that the last clause logs; empty if it logs none. */
  List<String> featureNames() {
    return clauses.getLast().get(FEATURE_NAMES) instanceof List<?> names
        ? names.stream().map(String::valueOf).toList()
        : List.of();
  }

  /**
   * Returns a copy that says that the rankings of the last clause's two models were mixed
   * (interleaved), with a random seed.
   */
  public RescoreExt interleaved(long seed) {
    return with("interleave", Map.of("seed", seed));
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    Wire.head(out);
    out.writeBoolean(false);
    out.writeCollection(clauses, StreamOutput::writeMap);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    return builder.field(NAME, clauses);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RescoreExt that && clauses.equals(that.clauses);
  }

  @Override
  public int hashCode() {
    return clauses.hashCode();
  }
}
