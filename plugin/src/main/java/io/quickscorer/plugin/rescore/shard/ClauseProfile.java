// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.shard.ShardFeatures;
import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.search.profile.ProfileResult;

/**
 * Where the time of one clause on one shard goes, as an entry of OpenSearch's own profile: the
 * clause with its parts, and below it each feature with the time that it takes alone. What features
 * share, such as a term's postings, counts for each of them there, and once in the clause's
 * extraction. Used by one thread.
 */
final class ClauseProfile {
  static final String TYPE = "QuickScorerRescore";
  static final String FEATURE_TYPE = "QuickScorerFeature";
  static final String DOCUMENTS = "documents";

  private final Map<String, Long> parts = new LinkedHashMap<>();
  private final Map<String, Long> features = new LinkedHashMap<>();
  private final List<String> engines = new ArrayList<>();
  private long documents;

  /** Adds what rescoring a window took. */
  void add(ScoredWindow scored, long sortNanos, int windowSize) {
    parts.merge("extract", scored.extractNanos(), Long::sum);
    parts.merge("score", scored.scoreNanos(), Long::sum);
    parts.merge("sort", sortNanos, Long::sum);
    documents += windowSize;
  }

  void addEngines(EnsembleRescoreContext context, List<CompiledModel> models) {
    for (CompiledModel model : models) {
      String engine =
          context.services().engines().with(model, context.options(), EnsembleScorer::engine);
      engines.add(model.id() + " by " + engine);
    }
  }

  /** Extracts each feature once more, alone. */
  void addFeatures(EnsembleRescoreContext context, Window window, IndexSearcher searcher)
      throws IOException {
    for (ShardFeatures group : context.groups()) {
      List<BoundFeature> bound = group.bound().features();
      FeatureMatrix column = new FeatureMatrix(1, window.size());
      for (int f = 0; f < bound.size(); f++) {
        if (!(bound.get(f) instanceof BoundFeature.Unused)) {
          int[] alone = new int[bound.size()];
          Arrays.fill(alone, -1);
          alone[f] = 0;
          long start = System.nanoTime();
          group.collect(searcher, window, alone, column);
          features.merge(bound.get(f).name(), System.nanoTime() - start, Long::sum);
        }
      }
    }
  }

  /** The entry; times in nanoseconds. */
  ProfileResult result(EnsembleRescoreContext context) {
    parts.putIfAbsent("extract", 0L);
    Map<String, Long> breakdown = new LinkedHashMap<>();
    breakdown.put("bind", context.bindNanos());
    breakdown.putAll(parts);
    List<ProfileResult> children = new ArrayList<>();
    features.forEach(
        (name, nanos) ->
            children.add(
                new ProfileResult(
                    FEATURE_TYPE, name, Map.of("extract", nanos), Map.of(), nanos, List.of())));
    long total = breakdown.values().stream().mapToLong(Long::longValue).sum();
    return new ProfileResult(
        TYPE,
        engines.isEmpty() ? "features" : String.join(", ", engines),
        breakdown,
        Map.of(DOCUMENTS, documents),
        total,
        children);
  }
}
