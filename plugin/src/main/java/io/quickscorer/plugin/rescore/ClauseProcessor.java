// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.stats.PipelineStats;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.search.pipeline.AbstractProcessor;

/**
 * A processor of a search pipeline that applies its rescore clause (a model and its options) to
 * searches. Immutable.
 */
abstract class ClauseProcessor extends AbstractProcessor {
  static final String TYPE = "quickscorer";

  /** The configuration of one processor, and the services of its node. */
  record Parts(
      @Nullable String tag,
      @Nullable String description,
      boolean ignoreFailure,
      RankingOptions options,
      RescoreModule rescore,
      PipelineNames names,
      PipelineStats stats) {}

  final RankingOptions options;
  final RescoreModule rescore;
  private final PipelineNames names;
  private final PipelineStats stats;

  ClauseProcessor(Parts parts) {
    super(parts.tag(), parts.description(), parts.ignoreFailure());
    this.options = parts.options();
    this.rescore = parts.rescore();
    this.names = parts.names();
    this.stats = parts.stats();
  }

  @Override
  public final String getType() {
    return TYPE;
  }

  final List<String> indices(SearchRequest request) {
    return names.indices(request);
  }

  /**
   * Returns the counters of a search's pipeline.
   *
   * @param request the request that the server passes to the processor; until version 3.7, it lacks
   *     the name of the pipeline
   * @param search the state of the search; null if it is not known
   */
  final PipelineStats.Pipeline counters(
      SearchRequest request, List<String> indices, @Nullable RunningSearch search) {
    return stats.of(search == null ? names.pipeline(request, indices) : search.others().pipeline());
  }

  /** Returns the reason why the processor's options exclude a search; null if they include it. */
  final @Nullable Left outsideTraffic(SearchRequest request, List<String> indices) {
    RankingOptions.Traffic traffic = options.traffic();
    if (!traffic.includesIndices(indices.stream())) {
      return Left.INDEX;
    }
    return traffic.includesShare(request) ? null : Left.SHARE;
  }
}
