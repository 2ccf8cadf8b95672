// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.stats.PipelineStats;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.transport.client.Client;

/** Makes the processors that rank the hits of answers. */
final class HitRankingProcessorFactory implements Processor.Factory<SearchResponseProcessor> {
  private final RescoreModule rescore;
  private final Supplier<ModelLookup> models;
  private final Supplier<PipelineNames> names;
  private final PipelineStats stats;
  private final Client client;

  HitRankingProcessorFactory(
      RescoreModule rescore,
      Supplier<ModelLookup> models,
      Supplier<PipelineNames> names,
      PipelineStats stats,
      Client client) {
    this.rescore = rescore;
    this.models = models;
    this.names = names;
    this.stats = stats;
    this.client = client;
  }

  @Override
  public SearchResponseProcessor create(
      Map<String, Processor.Factory<SearchResponseProcessor>> factories,
      @Nullable String tag,
      @Nullable String description,
      boolean ignoreFailure,
      Map<String, Object> config,
      Processor.PipelineContext pipeline)
      throws IOException {
    // The hits that it ranks are those of all shards.
    config.putIfAbsent("scope", "global");
    RankingOptions options = RankingOptionsReader.read(config, tag, models.get(), pipeline);
    if (!options.clause().isGlobal()) {
      throw RankingOptionsReader.wrong(tag, "scope", "must be global where answers are processed");
    }
    return new HitRankingProcessor(
        tag, description, ignoreFailure, options, rescore, names.get(), stats, client);
  }
}
