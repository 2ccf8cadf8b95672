// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.answer;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.LoggedRows;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.lucene.search.ScoreDoc;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.ReaderContext;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.internal.ShardSearchContextId;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Carries logged rows from a shard's query phase to its fetch phase, so that what is logged is what
 * was scored, to the bit, and nothing is extracted twice.
 *
 * <p>With one shard both phases share a search context, in which the rows simply stay. With more,
 * the fetch phase makes its own; then the rows of the hits that may be fetched wait here under the
 * id of the reader context, which both phases share, and the request's nonce, since searches of one
 * point in time share a reader context too. They leave with the fetch phase, when the reader
 * context is freed, or, in a point in time of which no fetch comes, after {@link #EXPIRY}. All the
 * while they are charged to the breaker. Safe for use by several threads.
 */
public final class LoggedRowStore implements SearchOperationListener {
  /** How long rows wait for their fetch phase, in nanoseconds. */
  static final long EXPIRY = TimeUnit.MINUTES.toNanos(5);

  private final Map<Key, Waiting> waiting = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;
  private final AtomicLong nextSweep;

  private record Key(ShardSearchContextId reader, String nonce) {}

  private record Waiting(List<LoggedRows> rows, long since) {
    void close() {
      rows.forEach(LoggedRows::close);
    }
  }

  public LoggedRowStore(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.nextSweep = new AtomicLong(nanoTime.getAsLong() + EXPIRY);
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
          if (clause.rows().isEmpty()) {
            return;
          }
          clause.keepRowsOf(ranked(search));
          if (search.request().numberOfShards() > 1) {
            put(search.readerContext().id(), nonce(clause), clause.takeRows());
          }
        });
  }

  /** Doc ids of the hits, ascending: a search pipeline may put any of them on the page. */
  private static int[] ranked(SearchContext search) {
    ScoreDoc[] hits = search.queryResult().topDocs().topDocs.scoreDocs;
    return Arrays.stream(hits).mapToInt(hit -> hit.doc).sorted().toArray();
  }

  /** Takes over rows and the duty to close them. */
  void put(ShardSearchContextId reader, String nonce, List<LoggedRows> rows) {
    Waiting former = waiting.put(new Key(reader, nonce), new Waiting(rows, nanoTime.getAsLong()));
    if (former != null) {
      former.close();
    }
  }

  @Override
  public void onPreFetchPhase(SearchContext search) {
    forEachShowing(
        search,
        clause -> {
          Waiting rows = waiting.remove(new Key(search.readerContext().id(), nonce(clause)));
          if (rows != null) {
            rows.rows.forEach(clause::addRows);
            search.addReleasable(clause::closeRows);
          }
        });
  }

  @Override
  public void onFreeReaderContext(ReaderContext reader) {
    closeIf((key, rows) -> key.reader.equals(reader.id()));
  }

  /** Closes what has waited too long; looks at most once per {@link #EXPIRY}. */
  void sweep() {
    long now = nanoTime.getAsLong();
    long due = nextSweep.get();
    if (now - due >= 0 && nextSweep.compareAndSet(due, now + EXPIRY)) {
      closeIf((key, rows) -> now - rows.since >= EXPIRY);
    }
  }

  private void closeIf(BiPredicate<Key, Waiting> condition) {
    Iterator<Map.Entry<Key, Waiting>> entries = waiting.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Key, Waiting> entry = entries.next();
      // Only who removes the entry closes it; a fetch phase may be about to take it.
      if (condition.test(entry.getKey(), entry.getValue())
          && waiting.remove(entry.getKey(), entry.getValue())) {
        entry.getValue().close();
      }
    }
  }

  /** Requests whose rows wait for their fetch phase. */
  public int size() {
    return waiting.size();
  }

  private static String nonce(EnsembleRescoreContext clause) {
    return String.valueOf(clause.bound().nonce());
  }

  private static void forEachShowing(
      SearchContext search, Consumer<EnsembleRescoreContext> action) {
    if (search.rescore() == null) {
      return;
    }
    for (RescoreContext rescore : search.rescore()) {
      if (rescore instanceof EnsembleRescoreContext clause && clause.options().shows()) {
        action.accept(clause);
      }
    }
  }
}
