// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.profile.query.QueryProfileShardResult;
import org.opensearch.search.query.QuerySearchResult;

/**
 * The times of one clause on one shard, as an entry in OpenSearch's search profile. This entry
 * contains one entry per stage ({@link Cascade}), or one per feature if there is only one stage.
 * Used by one thread.
 */
final class ClauseProfile {
  static final String TYPE = "QuickScorerRescore";
  static final String STAGE_TYPE = "QuickScorerStage";
  static final String DOCUMENTS = "documents";

  private final List<StageProfile> stages = new ArrayList<>();
  private long documents;

  ClauseProfile(int stageCount) {
    for (int s = 0; s < stageCount; s++) {
      stages.add(new StageProfile());
    }
  }

  /**
   * Adds the times for ranking one list of hits.
   *
   * @param scored the scored hits of each stage that has run, in order
   * @param models the models of all stages; the caller keeps them in memory
   */
  void add(
      EnsembleRescoreContext context,
      List<ScoredWindow> scored,
      List<CompiledModel> models,
      IndexSearcher searcher)
      throws IOException {
    documents += scored.getFirst().window().size();
    for (ScoredWindow window : scored) {
      int place = context.stages().indexOf(window.stage());
      stages.get(place).add(context, window, window.stage().own(models), searcher);
    }
  }

  /**
   * Adds the times of several clauses to a shard's profile. The times are listed with those of the
   * shard's queries, because OpenSearch's profile has no place for rescorers.
   */
  static void add(QuerySearchResult result, List<EnsembleRescoreContext> clauses) {
    if (!result.hasProfileResults()) {
      return;
    }
    List<ProfileResult> ours = new ArrayList<>();
    for (EnsembleRescoreContext clause : clauses) {
      ClauseProfile profile = clause.profile();
      if (profile != null) {
        ours.add(profile.result(clause));
      }
    }
    result.profileResults(with(ours, result.consumeProfileResult()));
  }

  private static ProfileShardResult with(List<ProfileResult> ours, ProfileShardResult shard) {
    List<QueryProfileShardResult> searches = new ArrayList<>(shard.getQueryProfileResults());
    if (searches.isEmpty()) {
      return shard;
    }
    QueryProfileShardResult first = searches.getFirst();
    List<ProfileResult> queries = new ArrayList<>(first.getQueryResults());
    queries.addAll(ours);
    searches.set(
        0,
        new QueryProfileShardResult(queries, first.getRewriteTime(), first.getCollectorResult()));
    return new ProfileShardResult(
        searches,
        shard.getAggregationProfileResults(),
        shard.getFetchProfileResult(),
        shard.getNetworkTime());
  }

  /** Returns the clause's entry for the search profile, with times in nanoseconds. */
  ProfileResult result(EnsembleRescoreContext context) {
    Map<String, Long> breakdown = new LinkedHashMap<>();
    breakdown.put("bind", context.bindNanos());
    stages.forEach(
        stage -> stage.parts().forEach((part, n) -> breakdown.merge(part, n, Long::sum)));
    List<ProfileResult> children = new ArrayList<>();
    if (stages.size() == 1) {
      children.addAll(stages.getFirst().features());
    } else {
      for (int s = 0; s < stages.size(); s++) {
        children.add(stages.get(s).result("stage " + (s + 1) + " of " + stages.size()));
      }
    }
    String engines =
        stages.stream()
            .flatMap(stage -> stage.engines().stream())
            .collect(Collectors.joining(", "));
    long total = breakdown.values().stream().mapToLong(Long::longValue).sum();
    return new ProfileResult(
        TYPE,
        engines.isEmpty() ? "features" : engines,
        breakdown,
        Map.of(DOCUMENTS, documents),
        total,
        children);
  }

  /**
   * The times of one stage ({@link Cascade}): of each part of the work, and of each feature
   * computed alone. Work that several features share counts for each of them, but only once in the
   * total. Used by one thread.
   */
  static final class StageProfile {
    static final String FEATURE_TYPE = "QuickScorerFeature";

    private final Map<String, Long> parts = new LinkedHashMap<>(Map.of("extract", 0L));
    private final Map<String, Long> features = new LinkedHashMap<>();
    private final Set<String> engines = new LinkedHashSet<>();
    private long documents;

    /**
     * Adds the times for ranking one list of hits. Computes each feature again, alone, to measure
     * its time.
     *
     * @param models the stage's models; the caller keeps them in memory
     */
    void add(
        EnsembleRescoreContext context,
        ScoredWindow scored,
        List<CompiledModel> models,
        IndexSearcher searcher)
        throws IOException {
      parts.merge("extract", scored.extractNanos(), Long::sum);
      parts.merge("score", scored.scoreNanos(), Long::sum);
      parts.merge("sort", scored.sortNanos(), Long::sum);
      documents += scored.window().size();
      for (CompiledModel model : models) {
        String engine =
            context
                .services()
                .engines()
                .with(model, scored.stage().options(), EnsembleScorer::engine);
        engines.add(model.id() + " by " + engine);
      }
      for (int g = 0; g < context.groups().size(); g++) {
        addFeatures(context.groups().get(g), g, scored, searcher);
      }
    }

    private void addFeatures(
        ShardFeatures group, int g, ScoredWindow scored, IndexSearcher searcher)
        throws IOException {
      List<BoundFeature> bound = group.bound().features();
      FeatureMatrix column = new FeatureMatrix(1, scored.window().size());
      for (int f : scored.extracted(g).stream().toArray()) {
        int[] alone = ModelScores.noColumns(bound);
        alone[f] = 0;
        long start = System.nanoTime();
        group.collect(searcher, scored.window(), alone, column);
        features.merge(bound.get(f).name(), System.nanoTime() - start, Long::sum);
      }
    }

    /** Returns the time of each part of the work, in nanoseconds, by the part's name. */
    Map<String, Long> parts() {
      return parts;
    }

    /**
     * Returns one text per model of the stage: the model's id and the engine (algorithm) that
     * scored.
     */
    Set<String> engines() {
      return engines;
    }

    List<ProfileResult> features() {
      List<ProfileResult> results = new ArrayList<>();
      features.forEach(
          (name, nanos) ->
              results.add(
                  new ProfileResult(
                      FEATURE_TYPE, name, Map.of("extract", nanos), Map.of(), nanos, List.of())));
      return results;
    }

    /**
     * Returns the stage's entry in the search profile. If the stage was skipped, the entry has no
     * engine and 0 documents.
     */
    ProfileResult result(String name) {
      String by = engines.isEmpty() ? "skipped" : String.join(", ", engines);
      return new ProfileResult(
          STAGE_TYPE,
          name + ": " + by,
          parts,
          Map.of(DOCUMENTS, documents),
          parts.values().stream().mapToLong(Long::longValue).sum(),
          features());
    }
  }
}
