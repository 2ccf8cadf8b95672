// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.LoggedRows;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.lucene.search.ScoreDoc;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.ReaderContext;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.internal.ShardSearchContextId;

/**
 * Stores rows on a shard's node between two phases of a search. A row has the feature values of one
 * hit. The query phase computes it, and the fetch phase adds it to the response. So values are
 * computed once, and the logged values are exactly those that the model got.
 *
 * <p>Rows are stored only if a search has several shards. Their key consists of the shard's reader
 * context, which both phases use, and a random text (the nonce). The nonce identifies the request,
 * because several requests can use the reader context of a point in time.
 *
 * <p>The fetch phase removes the rows. Otherwise they are removed when the reader context is freed,
 * after {@link #EXPIRY}, or when the coordinating node {@linkplain #release reports} the end of the
 * search. If their bytes exceed a limit, the oldest are removed. Safe for use by several threads.
 */
final class LoggedRowStore implements SearchOperationListener {
  /** Maximum time in nanoseconds for which rows are stored if no fetch phase takes them. */
  static final long EXPIRY = TimeUnit.MINUTES.toNanos(5);

  /** The stored rows (feature values of hits), the oldest first. Guarded by this. */
  private final Map<Key, Waiting> waiting = new LinkedHashMap<>();

  private final LongSupplier limit;
  private final LongSupplier nanoTime;

  /** Size of all stored rows in bytes. Guarded by this. */
  private long bytes;

  /** The {@link System#nanoTime} before which {@link #sweep} does nothing. Guarded by this. */
  private long nextSweep;

  private record Key(ShardSearchContextId reader, String nonce) {}

  private record Waiting(List<LoggedRows> rows, long since) {
    long bytes() {
      return rows.stream().mapToLong(LoggedRows::bytes).sum();
    }
  }

  /**
   * Creates an empty store.
   *
   * @param limit returns the maximum number of bytes in the store; the rows of a single search may
   *     exceed it
   * @param nanoTime returns the current time in nanoseconds
   */
  public LoggedRowStore(LongSupplier limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.nextSweep = nanoTime.getAsLong() + EXPIRY;
  }

  @Override
  public void onPreQueryPhase(SearchContext search) {
    sweep();
    forEachShowing(search, clause -> search.addReleasable(clause::closeRows));
  }

  @Override
  public void onQueryPhase(SearchContext search, long tookInNanos) {
    forEachShowing(
        search,
        clause -> {
          // The only shard of a search fetches its hits in the same request, with the same clause.
          if (!clause.hasNoRows() && search.request().numberOfShards() > 1) {
            clause.keepRowsOf(ranked(search));
            put(search.readerContext().id(), nonce(clause), clause.takeRows());
          }
        });
  }

  /**
   * Returns the doc ids of a shard's hits in ascending order. Includes hits after the response's
   * page, because a search pipeline may move them to the page.
   */
  private static int[] ranked(SearchContext search) {
    ScoreDoc[] hits = search.queryResult().topDocs().topDocs.scoreDocs;
    return Arrays.stream(hits).mapToInt(hit -> hit.doc).sorted().toArray();
  }

  /**
   * Stores the rows (feature values of hits) of a search on one shard. The store closes them when
   * it removes them.
   */
  synchronized void put(ShardSearchContextId reader, String nonce, List<LoggedRows> rows) {
    Key key = new Key(reader, nonce);
    close(take(key));
    Waiting added = new Waiting(rows, nanoTime.getAsLong());
    waiting.put(key, added);
    bytes += added.bytes();
    for (Key old : List.copyOf(waiting.keySet())) {
      if (bytes <= limit.getAsLong()) {
        break;
      }
      // Rows of other shards of the same search stay, because the search needs them all.
      if (!old.nonce.equals(nonce)) {
        close(take(old));
      }
    }
  }

  private synchronized List<LoggedRows> take(Key key) {
    Waiting taken = waiting.remove(key);
    if (taken == null) {
      return List.of();
    }
    bytes -= taken.bytes();
    return taken.rows;
  }

  private static void close(List<LoggedRows> rows) {
    rows.forEach(LoggedRows::close);
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    forEachShowing(
        search,
        clause -> {
          List<LoggedRows> rows = take(new Key(search.readerContext().id(), nonce(clause)));
          if (!rows.isEmpty()) {
            rows.forEach(clause::addRows);
            search.addReleasable(clause::closeRows);
          }
        });
  }

  @Override
  public void onFreeReaderContext(ReaderContext reader) {
    closeIf((key, rows) -> key.reader.equals(reader.id()));
  }

  /**
   * Removes and closes the rows of a search that has ended.
   *
   * @param nonce the random text of the search's clause, a part of the rows' keys
   */
  public void release(String nonce) {
    closeIf((key, rows) -> key.nonce.equals(nonce));
  }

  /**
   * Removes feature values stored for {@link #EXPIRY} or longer; does so at most once per {@code
   * EXPIRY}.
   */
  synchronized void sweep() {
    long now = nanoTime.getAsLong();
    if (now - nextSweep >= 0) {
      nextSweep = now + EXPIRY;
      closeIf((key, rows) -> now - rows.since >= EXPIRY);
    }
  }

  private synchronized void closeIf(BiPredicate<Key, Waiting> condition) {
    for (Map.Entry<Key, Waiting> entry : List.copyOf(waiting.entrySet())) {
      if (condition.test(entry.getKey(), entry.getValue())) {
        close(take(entry.getKey()));
      }
    }
  }

  /** Returns the number of stored entries, one per search and shard. */
  public synchronized int size() {
    return waiting.size();
  }

  private static String nonce(EnsembleRescoreContext clause) {
    return String.valueOf(clause.bound().nonce());
  }

  private static void forEachShowing(
      SearchContext search, Consumer<EnsembleRescoreContext> action) {
    EnsembleRescoreContext.among(search.rescore()).stream()
        .filter(clause -> clause.options().shows())
        .forEach(action);
  }
}
