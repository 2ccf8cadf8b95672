// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * A search's body as the server writes it: all queries in their long form, {@code {"match":
 * {"title": {"query": "x", …}}}}. Written when it is asked for first. Not for several threads.
 */
final class SearchBody {
  private final SearchSourceBuilder source;
  private final RequestBudget budget;
  private @Nullable Map<String, Object> whole;

  /**
   * @param budget is charged for the body
   */
  SearchBody(SearchSourceBuilder source, RequestBudget budget) {
    this.source = source;
    this.budget = budget;
  }

  Map<String, Object> whole() {
    Map<String, Object> map = whole;
    if (map == null) {
      map = Door.own(MediaTypeRegistry.JSON, bytes(source), budget.memory(), Input::map);
      whole = map;
    }
    return map;
  }

  /** The query's object, null if the search has no query. */
  @Nullable Object query() {
    return whole().get("query");
  }

  private static BytesReference bytes(SearchSourceBuilder source) {
    try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
      source.toXContent(builder, ToXContent.EMPTY_PARAMS);
      return BytesReference.bytes(builder);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // written to memory
    }
  }
}
