// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.search.profile.ProfileResult;

/**
 * The times of one stage of a clause: the time of each part of the work, and the time of each
 * feature when it is computed alone. Work that features share, such as reading a term's postings,
 * is counted in each of them, but only once in the stage's time of extraction. Used by one thread.
 */
final class StageProfile {
  static final String FEATURE_TYPE = "QuickScorerFeature";

  private final Map<String, Long> parts = new LinkedHashMap<>(Map.of("extract", 0L));
  private final Map<String, Long> features = new LinkedHashMap<>();
  private final Set<String> engines = new LinkedHashSet<>();
  private long documents;

  /**
   * Adds the times of a window, and computes each feature again, alone, to measure it.
   *
   * @param models the stage's models
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

  private void addFeatures(ShardFeatures group, int g, ScoredWindow scored, IndexSearcher searcher)
      throws IOException {
    List<BoundFeature> bound = group.bound().features();
    FeatureMatrix column = new FeatureMatrix(1, scored.window().size());
    for (int f : scored.extracted(g).stream().toArray()) {
      int[] alone = ModelColumns.none(bound);
      alone[f] = 0;
      long start = System.nanoTime();
      group.collect(searcher, scored.window(), alone, column);
      features.merge(bound.get(f).name(), System.nanoTime() - start, Long::sum);
    }
  }

  /** Returns the time of each part of the stage's work, in nanoseconds, by its name. */
  Map<String, Long> parts() {
    return parts;
  }

  /** Returns descriptions of the stage's models, each with the engine that scored. */
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
   * Returns the profile's entry for the stage. If the stage was skipped, the entry has no engine
   * and 0 documents.
   */
  ProfileResult result(String name) {
    String by = engines.isEmpty() ? "left out" : String.join(", ", engines);
    return new ProfileResult(
        ClauseProfile.STAGE_TYPE,
        name + ": " + by,
        parts,
        Map.of(ClauseProfile.DOCUMENTS, documents),
        parts.values().stream().mapToLong(Long::longValue).sum(),
        features());
  }
}
