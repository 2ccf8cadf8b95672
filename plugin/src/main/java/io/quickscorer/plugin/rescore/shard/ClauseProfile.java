// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.model.node.CompiledModel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.search.profile.ProfileResult;

/**
 * The times of one clause on one shard, in the form of an entry in OpenSearch's search profile. The
 * children of the entry are the clause's stages if there are several, otherwise the features. Used
 * by one thread.
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
   * Adds the times for one window to the profile.
   *
   * @param scored the windows of the stages that have run, the largest first
   * @param models the models of all stages, acquired by the caller
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

  /** Returns the times as an entry of the search profile, in nanoseconds. */
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
}
