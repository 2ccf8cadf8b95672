// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.stats.PipelineStats;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.transport.client.Client;

/**
 * Creates the processors of search pipelines on a node. There is one instance per node.
 *
 * @param rescore creates clauses
 * @param models returns the node's models; not called before a pipeline is stored
 * @param cluster returns the service with the cluster's state and settings; not called before the
 *     first search
 * @param resolver returns the object that resolves names of indices in a search; not called before
 *     the first search
 * @param stats counts the searches that search pipelines rank, and those that they do not rank
 */
public record PipelineModule(
    RescoreModule rescore,
    Supplier<ModelLookup> models,
    Supplier<ClusterService> cluster,
    Supplier<IndexNameExpressionResolver> resolver,
    PipelineStats stats) {
  /** Returns the factories of processors that rank the hits of responses, by processor type. */
  public Map<String, Processor.Factory<SearchResponseProcessor>> responseProcessors(Client server) {
    GuardedClient client = new GuardedClient(server);
    return Map.of(
        ClauseProcessor.TYPE,
        (all, tag, description, ignoreFailure, config, pipeline) -> {
          // Always global, because the processor ranks the hits of all shards together.
          config.putIfAbsent("scope", "global");
          RankingOptions options = options(config, tag, ignoreFailure, pipeline);
          if (!options.clause().isGlobal()) {
            throw RankingOptionsReader.wrong(
                tag, "scope", "must be global in a response processor");
          }
          if (options.clause().names().seed() != null) {
            throw RankingOptionsReader.wrong(
                tag,
                "interleave",
                "is only for request processors, because it needs two rankings of all hits");
          }
          return Guard.entry(
              SearchResponseProcessor.class,
              new HitRankingProcessor(parts(tag, description, ignoreFailure, options), client));
        });
  }

  /**
   * Returns the factories of processors that add a rescore clause to searches, by processor type.
   */
  public Map<String, Processor.Factory<SearchRequestProcessor>> requestProcessors(Client server) {
    return Map.of(
        ClauseProcessor.TYPE,
        (all, tag, description, ignoreFailure, config, pipeline) -> {
          RankingOptions options = options(config, tag, ignoreFailure, pipeline);
          return Guard.entry(
              SearchRequestProcessor.class,
              new RankingProcessor(
                  parts(tag, description, ignoreFailure, options), server.threadPool()));
        });
  }

  /** Returns which processors of others than this plugin a search has. */
  public OtherProcessors others(SearchRequest request) {
    return names().others(request);
  }

  private PipelineNames names() {
    return new PipelineNames(cluster, resolver.get());
  }

  private RankingOptions options(
      Map<String, Object> config,
      @Nullable String tag,
      boolean ignoreFailure,
      Processor.PipelineContext pipeline)
      throws IOException {
    return Guard.call(
        () -> "the processor's configuration",
        () -> RankingOptionsReader.read(config, tag, ignoreFailure, models.get(), pipeline));
  }

  private ClauseProcessor.Parts parts(
      @Nullable String tag,
      @Nullable String description,
      boolean ignoreFailure,
      RankingOptions options) {
    return new ClauseProcessor.Parts(
        tag, description, ignoreFailure, options, rescore, names(), stats);
  }
}
