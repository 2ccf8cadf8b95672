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
 * Passes logged rows (a hit's feature values) from a shard's query phase to its fetch phase. So the
 * logged values are exactly the scored ones, and nothing is computed twice.
 *
 * <p>If a search has several shards, the rows wait here for their fetch phase. Their key is the
 * reader context, which both phases share, and the request's nonce (a random text), because several
 * searches of a point in time share a reader context.
 *
 * <p>Rows are removed by the fetch phase, when the reader context is freed, after {@link #EXPIRY},
 * or when the coordinating node {@linkplain #release reports} that the search is answered. Waiting
 * rows are charged to a circuit breaker. If there are too many, the oldest are dropped. Safe for
 * use by several threads.
 */
final class LoggedRowStore implements SearchOperationListener {
  /** Maximum time that rows wait for their fetch phase, in nanoseconds. */
  static final long EXPIRY = TimeUnit.MINUTES.toNanos(5);

  /** The waiting rows, the oldest first. Guarded by this. */
  private final Map<Key, Waiting> waiting = new LinkedHashMap<>();

  private final LongSupplier limit;
  private final LongSupplier nanoTime;

  /** Size of all waiting rows in bytes. Guarded by this. */
  private long bytes;

  /** Time from which {@link #sweep} runs again, in nanoseconds. Guarded by this. */
  private long nextSweep;

  private record Key(ShardSearchContextId reader, String nonce) {}

  private record Waiting(List<LoggedRows> rows, long since) {
    long bytes() {
      return rows.stream().mapToLong(LoggedRows::bytes).sum();
    }
  }

  /**
   * Creates a store without rows.
   *
   * @param limit returns the maximum number of bytes in the store; the rows of one search are kept
   *     even if they exceed it
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
          if (clause.hasNoRows()) {
            return;
          }
          clause.keepRowsOf(ranked(search));
          if (search.request().numberOfShards() > 1) {
            put(search.readerContext().id(), nonce(clause), clause.takeRows());
          }
        });
  }

  /**
   * Returns the doc ids of a shard's hits, ascending. All hits are included, because a search
   * pipeline may put any of them on the page.
   */
  private static int[] ranked(SearchContext search) {
    ScoreDoc[] hits = search.queryResult().topDocs().topDocs.scoreDocs;
    return Arrays.stream(hits).mapToInt(hit -> hit.doc).sorted().toArray();
  }

  /** Adds the rows of a request. From now on, this store closes them. */
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

  /** Closes the rows of a search that has been answered. */
  public void release(String nonce) {
    closeIf((key, rows) -> key.nonce.equals(nonce));
  }

  /** Closes rows that have waited too long, at most once per {@link #EXPIRY}. */
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

  /** Returns the number of requests whose rows wait for their fetch phase. */
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
