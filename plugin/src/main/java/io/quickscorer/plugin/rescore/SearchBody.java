// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.BoundedContent;
import java.util.List;
import java.util.Map;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.builder.SearchSourceBuilder;

/** Copies bodies of searches that may contain a search pipeline. Stateless. */
final class SearchBody {
  /** Maximum size, in bytes of JSON, of a search pipeline in a body that is copied. */
  private static final int MAX_PIPELINE_BYTES = 1 << 20;

  private static final String NAME = ClauseProcessor.TYPE;

  private SearchBody() {}

  /**
   * Returns a copy of a body. The server's own method leaves out the body's search pipeline. Until
   * version 3.7, the server removes the parts of a pipeline that it has read, so each search needs
   * a pipeline of its own, whose maps and lists can be modified.
   *
   * @throws IllegalArgumentException (400) if the pipeline has more than {@link
   *     #MAX_PIPELINE_BYTES} bytes
   */
  static SearchSourceBuilder copy(SearchSourceBuilder source) {
    SearchSourceBuilder copy = source.shallowCopy();
    Map<String, Object> pipeline = source.searchPipelineSource();
    if (pipeline == null) {
      return copy;
    }
    BytesReference json;
    try {
      json = BoundedContent.json(MAX_PIPELINE_BYTES, builder -> builder.map(pipeline));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("[search_pipeline]: " + e.getMessage(), e);
    }
    return copy.searchPipelineSource(
        XContentHelper.convertToMap(json, true, MediaTypeRegistry.JSON).v2());
  }

  /**
   * Returns whether a search has a clause of this plugin, or may get one from a processor of a
   * pipeline: one in the body, or one with a name.
   */
  static boolean mayHaveClause(SearchRequest search) {
    SearchSourceBuilder source = Clauses.source(search);
    Map<String, Object> pipeline = source.searchPipelineSource();
    return pipeline == null
        || !Clauses.of(source).isEmpty()
        || pipeline.get(PipelineNames.REQUEST_PROCESSORS) instanceof List<?> processors
            && processors.stream()
                .anyMatch(item -> item instanceof Map<?, ?> one && one.containsKey(NAME));
  }
}
