// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestBudget;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * A search's body as the server writes it, with all queries in their long form: {@code {"match":
 * {"title": {"query": "x", …}}}}. It is created at its first use. Used by one thread.
 */
final class SearchBody {
  private final SearchSourceBuilder source;
  private final RequestBudget budget;
  private @Nullable Map<String, Object> whole;

  /**
   * Creates the body of a search.
   *
   * @param budget the memory budget, which is charged for the body
   */
  SearchBody(SearchSourceBuilder source, RequestBudget budget) {
    this.source = source;
    this.budget = budget;
  }

  Map<String, Object> whole() {
    Map<String, Object> map = whole;
    if (map == null) {
      map =
          Door.own(
              MediaTypeRegistry.JSON, bytes(source, budget.memory()), budget.memory(), Input::map);
      whole = map;
    }
    return map;
  }

  /** Returns the query as a JSON object, null if the search has no query. */
  @Nullable Object query() {
    return whole().get("query");
  }

  private static BytesReference bytes(SearchSourceBuilder source, MemoryCharge memory) {
    return BoundedContent.json(
        memory, builder -> source.toXContent(builder, ToXContent.EMPTY_PARAMS));
  }
}
