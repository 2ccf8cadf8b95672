// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.pipeline;

import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.stats.PipelineStats;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.search.pipeline.SearchRequestProcessor;

/** Makes the processors that put the clause into searches. */
final class RankingProcessorFactory implements Processor.Factory<SearchRequestProcessor> {
  private final RescoreModule rescore;
  private final Supplier<ModelLookup> models;
  private final Supplier<PipelineNames> names;
  private final PipelineStats stats;
  private final ThreadContext context;

  RankingProcessorFactory(
      RescoreModule rescore,
      Supplier<ModelLookup> models,
      Supplier<PipelineNames> names,
      PipelineStats stats,
      ThreadContext context) {
    this.rescore = rescore;
    this.models = models;
    this.names = names;
    this.stats = stats;
    this.context = context;
  }

  @Override
  public SearchRequestProcessor create(
      Map<String, Processor.Factory<SearchRequestProcessor>> factories,
      @Nullable String tag,
      @Nullable String description,
      boolean ignoreFailure,
      Map<String, Object> config,
      Processor.PipelineContext pipeline)
      throws IOException {
    RankingOptions options = RankingOptionsReader.read(config, tag, models.get(), pipeline);
    return new RankingProcessor(
        tag, description, ignoreFailure, options, rescore, names.get(), stats, context);
  }
}
