// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.IndexSettings;
import org.opensearch.search.pipeline.SearchPipelineService;
import org.opensearch.transport.RemoteClusterAware;

/**
 * Determines the names of the indices that a search reads, and the name of its search pipeline.
 *
 * @param cluster returns the service with the cluster's state and settings
 * @param resolver resolves patterns and aliases to names of indices
 */
record PipelineNames(Supplier<ClusterService> cluster, IndexNameExpressionResolver resolver) {
  static final String REQUEST_PROCESSORS = "request_processors";
  private static final String RESPONSE_PROCESSORS = "response_processors";
  private static final String PHASE_PROCESSORS = "phase_results_processors";
  private static final String NONE = "_none";

  /**
   * Returns the names of the searched indices: those of this cluster, then the names of other
   * clusters' indices as they are written in the request. Empty if an index does not exist; the
   * search itself then fails.
   */
  List<String> indices(SearchRequest request) {
    List<String> local = new ArrayList<>();
    List<String> remote = new ArrayList<>();
    for (String name : request.indices()) {
      boolean other = name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) > 0;
      (other ? remote : local).add(name);
    }
    List<String> all = new ArrayList<>();
    if (!local.isEmpty() || remote.isEmpty()) {
      try {
        String[] names = local.toArray(String[]::new);
        all.addAll(
            List.of(
                resolver.concreteIndexNames(
                    cluster.get().state(),
                    request.indicesOptions(),
                    request.includeDataStreams(),
                    names)));
      } catch (IndexNotFoundException e) {
        return List.of();
      }
    }
    all.addAll(remote);
    return all;
  }

  /** Returns the name of the search pipeline that a search uses; {@code _none} if it uses none. */
  String pipeline(SearchRequest request, List<String> indices) {
    if (request.source() != null && request.source().searchPipelineSource() != null) {
      return SearchPipelineService.AD_HOC_PIPELINE_ID;
    }
    if (request.pipeline() != null) {
      return request.pipeline();
    }
    for (String name : indices) {
      IndexMetadata index = cluster.get().state().metadata().index(name);
      if (index != null) {
        String set = IndexSettings.DEFAULT_SEARCH_PIPELINE.get(index.getSettings());
        if (!set.equals(NONE)) {
          return set;
        }
      }
    }
    return NONE;
  }

  /** Returns which processors of others than this plugin a search has. */
  OtherProcessors others(SearchRequest request) {
    List<String> indices = indices(request);
    boolean remote =
        indices.stream()
            .anyMatch(name -> name.indexOf(RemoteClusterAware.REMOTE_CLUSTER_INDEX_SEPARATOR) > 0);
    boolean generated =
        !cluster
            .get()
            .getClusterSettings()
            .get(SearchPipelineService.ENABLED_SYSTEM_GENERATED_FACTORIES_SETTING)
            .isEmpty();
    String pipeline = pipeline(request, indices);
    Set<String> kinds = kindsOfProcessors(request, pipeline);
    return new OtherProcessors(
        pipeline,
        generated
            || remote && request.isCcsMinimizeRoundtrips()
            || kinds.contains(RESPONSE_PROCESSORS),
        generated || kinds.contains(PHASE_PROCESSORS));
  }

  private Set<String> kindsOfProcessors(SearchRequest request, String pipeline) {
    if (pipeline.equals(SearchPipelineService.AD_HOC_PIPELINE_ID)) {
      return request.source().searchPipelineSource().keySet();
    }
    return SearchPipelineService.getPipelines(cluster.get().state(), pipeline).stream()
        .flatMap(config -> config.getConfigAsMap().keySet().stream())
        .collect(Collectors.toSet());
  }
}
