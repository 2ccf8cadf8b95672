// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.core.action.ActionListener;

/**
 * Runs several searches, some of them at the same time, with the caller's permissions and thread
 * context. The caller needs the permission to search the indices, but no permission for
 * OpenSearch's multi-search.
 */
final class SearchBatch {
  private SearchBatch() {}

  /** The result of one search: either a response or a failure; the other component is null. */
  record Item(@Nullable SearchResponse response, @Nullable Exception failure) {}

  /**
   * Runs several searches.
   *
   * @param searches the searches, at least one
   * @param concurrent the maximum number of searches at the same time
   * @param listener receives the results in the order of the searches
   */
  static void run(
      GuardedClient client,
      List<SearchRequest> searches,
      int concurrent,
      ActionListener<List<Item>> listener) {
    Item[] items = new Item[searches.size()];
    AtomicInteger started = new AtomicInteger();
    // The counter of the group makes each item visible to the thread that calls the listener.
    ActionListener<Void> ended =
        new GroupedActionListener<>(
            ActionListener.map(listener, all -> Arrays.asList(items)), concurrent);
    for (int i = 0; i < concurrent; i++) {
      Sequence.repeat(
          () -> items.length - started.get(),
          next -> {
            int place = started.getAndIncrement();
            if (place >= items.length) {
              next.onResponse(null);
              return;
            }
            ActionListener<Item> done =
                ActionListener.map(
                    next,
                    item -> {
                      items[place] = item;
                      return null;
                    });
            try {
              client.search(
                  searches.get(place),
                  ContextPreservingActionListener.wrapPreservingContext(
                      ActionListener.wrap(
                          found -> done.onResponse(new Item(found, null)),
                          failure -> done.onResponse(new Item(null, failure))),
                      client.threadPool().getThreadContext()));
            } catch (RuntimeException e) {
              // The search did not start, so it will not call its listener.
              done.onResponse(new Item(null, e));
            }
          },
          ended);
    }
  }
}
