// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.guard.GuardedClient;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.core.action.ActionListener;

/**
 * Runs several searches, some of them at the same time, in the caller's thread context and with the
 * caller's permissions. Unlike a multi-search, it needs only the permission to search the indices.
 */
final class SearchBatch {
  private final GuardedClient client;
  private final List<SearchRequest> searches;
  private final Item[] items;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger open;
  private final ActionListener<List<Item>> listener;

  /** The result of one search: a response or a failure. The other one is null. */
  record Item(@Nullable SearchResponse response, @Nullable Exception failure) {}

  private SearchBatch(
      GuardedClient client, List<SearchRequest> searches, ActionListener<List<Item>> listener) {
    this.client = client;
    this.searches = searches;
    this.items = new Item[searches.size()];
    this.open = new AtomicInteger(searches.size());
    this.listener = listener;
  }

  /**
   * Runs the searches of a batch.
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
    SearchBatch batch = new SearchBatch(client, searches, listener);
    for (int i = 0; i < concurrent; i++) {
      batch.searchNext();
    }
  }

  private void searchNext() {
    int place = next.getAndIncrement();
    if (place < items.length) {
      try {
        client.search(
            searches.get(place),
            ContextPreservingActionListener.wrapPreservingContext(
                ActionListener.wrap(
                    found -> done(place, new Item(found, null)),
                    failure -> done(place, new Item(null, failure))),
                client.threadPool().getThreadContext()));
      } catch (RuntimeException e) {
        // The search did not start, so it will not call its listener.
        done(place, new Item(null, e));
      }
    }
  }

  private void done(int place, Item item) {
    // The update of the atomic counter makes this write visible to the thread that calls the
    // listener.
    items[place] = item;
    if (open.decrementAndGet() == 0) {
      listener.onResponse(Arrays.asList(items));
    } else {
      searchNext();
    }
  }
}
