// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.opensearch.action.search.SearchPhaseContext;
import org.opensearch.action.search.SearchPhaseName;
import org.opensearch.action.search.SearchPhaseResults;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPipelinePlugin;
import org.opensearch.search.SearchPhaseResult;
import org.opensearch.search.pipeline.AbstractProcessor;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchPhaseResultsProcessor;
import org.opensearch.search.query.QuerySearchResult;

/**
 * Fuses the ranks of two rankings of the hits of all shards, by score and by document number,
 * between query and fetch phase: where plugins with hybrid queries do so, too.
 */
public class RankFusionPlugin extends Plugin implements SearchPipelinePlugin {
  static final String TYPE = "rank_fusion";

  @Override
  public Map<String, Processor.Factory<SearchPhaseResultsProcessor>>
      getSearchPhaseResultsProcessors(SearchPipelinePlugin.Parameters parameters) {
    return Map.of(
        TYPE,
        (factories, tag, description, ignoreFailure, config, context) ->
            new Fusion(tag, description, ignoreFailure));
  }

  private static final class Fusion extends AbstractProcessor
      implements SearchPhaseResultsProcessor {
    Fusion(String tag, String description, boolean ignoreFailure) {
      super(tag, description, ignoreFailure);
    }

    @Override
    public String getType() {
      return TYPE;
    }

    @Override
    public SearchPhaseName getBeforePhase() {
      return SearchPhaseName.QUERY;
    }

    @Override
    public SearchPhaseName getAfterPhase() {
      return SearchPhaseName.FETCH;
    }

    @Override
    public <R extends SearchPhaseResult> void process(
        SearchPhaseResults<R> results, SearchPhaseContext search) {
      List<QuerySearchResult> shards = new ArrayList<>();
      List<ScoreDoc> all = new ArrayList<>();
      for (R result : results.getAtomicArray().asList()) {
        shards.add(result.queryResult());
        all.addAll(Arrays.asList(result.queryResult().topDocs().topDocs.scoreDocs));
      }
      Map<ScoreDoc, Float> fused = new HashMap<>();
      all.sort(Comparator.comparingDouble(hit -> -hit.score));
      addRanks(all, fused);
      all.sort(Comparator.comparingInt(hit -> hit.doc));
      addRanks(all, fused);
      fused.forEach((hit, score) -> hit.score = score);
      for (QuerySearchResult shard : shards) {
        TopDocs found = shard.topDocs().topDocs;
        ScoreDoc[] hits = found.scoreDocs.clone();
        Arrays.sort(hits, Comparator.comparingDouble(hit -> -hit.score));
        float max = hits.length == 0 ? Float.NaN : hits[0].score;
        shard.topDocs(
            new TopDocsAndMaxScore(new TopDocs(found.totalHits, hits), max),
            shard.sortValueFormats());
      }
    }

    private static void addRanks(List<ScoreDoc> ranking, Map<ScoreDoc, Float> fused) {
      for (int rank = 0; rank < ranking.size(); rank++) {
        fused.merge(ranking.get(rank), 1f / (60 + rank), Float::sum);
      }
    }
  }
}
