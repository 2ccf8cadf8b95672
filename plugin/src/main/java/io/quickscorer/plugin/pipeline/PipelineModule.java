// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.stats.PipelineStats;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.transport.client.Client;

/** What search pipelines get from a node. One per node. */
public final class PipelineModule {
  private final RescoreModule rescore;
  private final Supplier<ModelLookup> models;
  private final Supplier<PipelineNames> names;
  private final PipelineStats stats;

  /**
   * @param rescore makes clauses
   * @param models gives the node's models; first asked when a pipeline is stored
   * @param state gives the cluster's state; first asked at the first search
   * @param resolver finds the indices of a search; likewise
   * @param stats counts what pipelines do
   */
  public PipelineModule(
      RescoreModule rescore,
      Supplier<ModelLookup> models,
      Supplier<ClusterState> state,
      Supplier<IndexNameExpressionResolver> resolver,
      PipelineStats stats) {
    this.rescore = rescore;
    this.models = models;
    this.names = () -> new PipelineNames(state, resolver.get());
    this.stats = stats;
  }

  public Map<String, Processor.Factory<SearchResponseProcessor>> responseProcessors(Client client) {
    return Map.of(
        RankingProcessor.TYPE,
        new HitRankingProcessorFactory(rescore, models, names, stats, client));
  }

  public Map<String, Processor.Factory<SearchRequestProcessor>> requestProcessors(
      ThreadContext context) {
    return Map.of(
        RankingProcessor.TYPE, new RankingProcessorFactory(rescore, models, names, stats, context));
  }
}
