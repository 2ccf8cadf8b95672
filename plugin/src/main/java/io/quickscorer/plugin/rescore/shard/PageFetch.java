// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.fetch.FetchSearchResult;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QuerySearchResult;

/**
 * The fetch phase of a shard for a clause that ranks the hits of all shards together. The
 * coordinating node needs the scores of all hits of the window, but the response shows only a page
 * of them. Reading the stored fields of a hit takes longer than scoring it. So the shard scores its
 * hits and fetches only the best ones. It sends the other hits with nothing but their scores, or
 * with nothing but their feature values if the clause has several models. The only shard of a
 * search leaves the other hits out. It scores its hits in the query phase already, if there is one
 * model and the search has no aggregations.
 *
 * <p>The shard fetches as many hits as the response can show, and those whose scores equal the
 * lowest of them. The coordinating node ranks by the same scores, so no other hit of the shard can
 * be on the page. All hits are fetched if a score depends on more than the hit's own feature
 * values, or if the model is not loaded on the shard's node.
 */
public final class PageFetch {
  /** Describes the charge for the data of hits. */
  private static final String VALUES = "<quickscorer logged values>";

  private final EnsembleRescoreContext clause;

  /**
   * The hits that the shard sends, in the order of the coordinating node; null where a hit is
   * fetched. Empty if the shard sends only fetched hits.
   */
  private SearchHit[] hits = {};

  /** The scores of the fetched hits by their doc ids, if they were computed in this phase. */
  private final Map<Integer, Double> scores = new HashMap<>();

  /** All hits of the only shard of a search, if it also sends hits that are not fetched. */
  private @Nullable TopDocsAndMaxScore found;

  PageFetch(EnsembleRescoreContext clause) {
    this.clause = clause;
  }

  /** Called before the fetch phase: makes it fetch only the hits that can be on the page. */
  public void begin(SearchContext search) {
    int page = clause.sent().page();
    // A search pipeline may have changed the page after the clause was bound.
    if (page == 0 || search.from() > 0 || search.size() > clause.window() || clause.hasNoRows()) {
      return;
    }
    int[] requested = requested(search);
    if (page >= requested.length) {
      return;
    }
    long bytes = bytes(requested.length, GlobalWindow.width(clause.bound()));
    try (MemoryCharge ignored = MemoryCharge.take(clause.breaker(), bytes, "quickscorer page")) {
      List<LoggedRows.Row> rows = rows(requested);
      if (rows != null && (areScored(rows) || scoresAlone(clause))) {
        narrow(search, requested, rows, page);
      }
    }
  }

  /**
   * Makes the fetch phase fetch only the hits that can be on the page.
   *
   * @param requested the doc ids of the hits that the server is about to fetch
   * @param rows the rows of these hits
   */
  private void narrow(SearchContext search, int[] requested, List<LoggedRows.Row> rows, int page) {
    double[] computed = scores(rows, Cancellation.of(search.searcher()));
    int[] best = best(computed, page);
    for (int i = 0; sendsScores() && i < best.length; i++) {
      scores.put(requested[best[i]], computed[best[i]]);
    }
    if (search.docIdsToLoad() != null) {
      hits = others(requested, rows, computed, best);
      search.docIdsToLoad(Arrays.stream(best).map(i -> requested[i]).toArray(), 0, best.length);
    } else {
      // The only shard of a search fetches the hits of its own result.
      QuerySearchResult result = search.queryResult();
      TopDocsAndMaxScore all = result.topDocs();
      ScoreDoc[] fetched =
          Arrays.stream(best).mapToObj(i -> all.topDocs.scoreDocs[i]).toArray(ScoreDoc[]::new);
      TopDocs narrowed = new TopDocs(all.topDocs.totalHits, fetched);
      result.topDocs(new TopDocsAndMaxScore(narrowed, all.maxScore), result.sortValueFormats());
      // The coordinating node needs all hits if it compares several models, or shows how many hits
      // the clause has cut.
      if (!sendsScores() || clause.options().rules().cuts()) {
        hits = others(requested, rows, computed, best);
        found = all;
      }
    }
  }

  /** Returns whether the coordinating node does not need the values of hits that have a score. */
  private boolean sendsScores() {
    return clause.bound().models().size() == 1;
  }

  private SearchHit[] others(
      int[] requested, List<LoggedRows.Row> rows, double[] computed, int[] best) {
    int values = sendsScores() ? 0 : GlobalWindow.width(clause.bound());
    clause.answer().charge(bytes(requested.length - best.length, values), VALUES);
    String field = CarriedHit.field(Objects.requireNonNull(clause.bound().nonce()));
    SearchHit[] others = new SearchHit[requested.length];
    int next = 0;
    for (int i = 0; i < others.length; i++) {
      if (next < best.length && best[next] == i) {
        next++;
      } else {
        others[i] = new SearchHit(requested[i]);
        CarriedHit data =
            sendsScores()
                ? new CarriedHit(new float[0], computed[i], false, List.of())
                : values(rows.get(i));
        data.put(others[i], field);
      }
    }
    return others;
  }

  /** Called after the fetch phase: adds the hits that were not fetched to its result. */
  public void end(SearchContext search) {
    if (hits.length == 0) {
      return;
    }
    FetchSearchResult result = search.fetchResult();
    Iterator<SearchHit> fetched = Arrays.asList(result.hits().getHits()).iterator();
    for (int i = 0; i < hits.length; i++) {
      if (hits[i] == null) {
        // The coordinating node rejects a hit without data.
        hits[i] = fetched.hasNext() ? fetched.next() : new SearchHit(-1);
      }
    }
    result.hits(new SearchHits(hits, result.hits().getTotalHits(), result.hits().getMaxScore()));
    if (found != null) {
      search.queryResult().topDocs(found, search.queryResult().sortValueFormats());
    }
  }

  /** Returns the doc ids of the hits that the server is about to fetch. */
  private static int[] requested(SearchContext search) {
    int[] ids = search.docIdsToLoad();
    if (ids != null) {
      int from = search.docIdsToLoadFrom();
      return Arrays.copyOfRange(ids, from, from + search.docIdsToLoadSize());
    }
    return Arrays.stream(search.queryResult().topDocs().topDocs.scoreDocs)
        .limit(search.size())
        .mapToInt(hit -> hit.doc)
        .toArray();
  }

  /**
   * Returns whether the model of a clause scores in the query phase: if it is the only model and
   * loaded, and the search has one shard, shows a page of the hits and has no aggregations. The
   * server passes the hits of aggregations to the same rescorer.
   */
  static boolean scoresInQueryPhase(EnsembleRescoreContext clause, @Nullable SearchContext search) {
    return search != null
        && search.numberOfShards() == 1
        && search.aggregations() == null
        && clause.sent().page() > 0
        && clause.bound().models().size() == 1
        && scoresAlone(clause);
  }

  /** Returns whether the ranking model is loaded, and scores a hit by nothing but its features. */
  private static boolean scoresAlone(EnsembleRescoreContext clause) {
    BoundClause bound = clause.bound();
    return bound.groups().stream().allMatch(group -> group.relative().isEmpty())
        && clause.services().models().isLoaded(bound.models().getFirst().id());
  }

  /**
   * Returns the rows of hits; null if a hit is not in the window, or if the server found a document
   * several times, as it does for the parts of a hybrid query.
   */
  private @Nullable List<LoggedRows.Row> rows(int[] requested) {
    int[] sorted = Arrays.stream(requested).sorted().toArray();
    if (IntStream.range(1, sorted.length).anyMatch(i -> sorted[i] == sorted[i - 1])) {
      return null;
    }
    List<LoggedRows.Row> all = new ArrayList<>();
    for (int doc : requested) {
      StepLimit.step();
      LoggedRows.Row row = clause.rowOf(doc);
      if (row == null) {
        return null;
      }
      all.add(row);
    }
    return all;
  }

  /** Returns whether hits were scored in the query phase. */
  private static boolean areScored(List<LoggedRows.Row> rows) {
    return rows.stream().allMatch(row -> row.models() > 0);
  }

  /** Returns the data of a hit that has no score and is not fetched. */
  private static CarriedHit values(LoggedRows.Row row) {
    return new CarriedHit(row.values(), null, false, List.of());
  }

  /**
   * Returns the data that the shard sends with a fetched hit; no values if the hit is not in the
   * window.
   *
   * @param group the hit's distinct values of the field by which hits are grouped
   * @throws OpenSearchStatusException (429) if the values of all hits were deleted
   */
  public CarriedHit carried(int doc, List<Object> group) {
    clause.answer().charge(bytes(1, GlobalWindow.width(clause.bound())), VALUES);
    LoggedRows.Row row = clause.isRanked(doc) ? clause.rowOf(doc) : null;
    if (row == null) {
      return new CarriedHit(new float[0], null, true, group);
    }
    Double score = row.models() == 0 ? scores.get(doc) : Double.valueOf(row.score(0));
    return new CarriedHit(row.values(), score, true, group);
  }

  /** Returns the estimated heap bytes of the data of hits with a number of feature values each. */
  private static long bytes(int hits, int values) {
    return Math.multiplyExact(ShownHits.rowBytes(values), hits);
  }

  /** Returns the scores of hits by the ranking model, computed if they were not scored before. */
  private double[] scores(List<LoggedRows.Row> rows, Cancellation cancellation) {
    if (areScored(rows)) {
      return rows.stream().mapToDouble(row -> row.score(0)).toArray();
    }
    BoundClause bound = clause.bound();
    ModelId id = bound.models().getFirst().id();
    try (RescoreServices.ModelUses uses = clause.services().acquire(List.of(id));
        MemoryCharge ignored =
            MemoryCharge.take(
                clause.breaker(),
                GlobalWindow.bytes(bound, rows.size(), uses.models()),
                "quickscorer page")) {
      // Otherwise, the coordinating node computes and counts the scores of all models.
      boolean counts = sendsScores();
      return GlobalWindow.of(bound, rows.stream().map(PageFetch::values).toList())
          .scores(clause.services(), clause.options(), bound, uses.models(), counts, cancellation)[
          0];
    }
  }

  /** Returns the indices of the hits that can be on the page, ascending. */
  private int[] best(double[] computed, int page) {
    Double min = clause.options().rules().minModelScore();
    int[] kept =
        IntStream.range(0, computed.length)
            .filter(i -> min == null || computed[i] >= min)
            .toArray();
    float[] finals = clause.options().combination().combine(new float[computed.length], computed);
    float[] sorted = new float[kept.length];
    for (int k = 0; k < sorted.length; k++) {
      sorted[k] = finals[kept[k]];
    }
    Arrays.sort(sorted);
    float lowest = page >= sorted.length ? Float.NEGATIVE_INFINITY : sorted[sorted.length - page];
    return Arrays.stream(kept).filter(i -> finals[i] >= lowest).toArray();
  }
}
