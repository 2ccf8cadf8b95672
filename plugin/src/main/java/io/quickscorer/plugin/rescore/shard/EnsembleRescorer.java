// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.window.Window;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestLimits;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.NumericUtils;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.rescore.Rescorer;

/**
 * Hits by doc id, then their feature matrix, then its scores, then hits by score. Stateless: all it
 * works on is in the {@link EnsembleRescoreContext}, in which it may be called several times.
 */
public final class EnsembleRescorer implements Rescorer {
  static final EnsembleRescorer INSTANCE = new EnsembleRescorer();

  /**
   * The score of all hits of a shard whose time was up. It is above all others, so that the highest
   * score of the whole answer tells the coordinating node, which then starts anew without a model:
   * first-pass and model scores are never mixed.
   */
  public static final float TIME_IS_UP = Float.MAX_VALUE;

  private EnsembleRescorer() {}

  @Override
  public TopDocs rescore(TopDocs topDocs, IndexSearcher searcher, RescoreContext rescoreContext)
      throws IOException {
    EnsembleRescoreContext context = (EnsembleRescoreContext) rescoreContext;
    ScoreDoc[] hits = context.firstPass(topDocs.scoreDocs, searcher);
    int size = Math.min(context.window(), hits.length);
    if (size == 0) {
      return topDocs;
    }
    boolean done = false;
    try (ShardBudget ignored =
        new ShardBudget(searcher, context.options().budget(), System::nanoTime)) {
      Window window = Window.of(hits, size);
      ScoreDoc[] result = run(context, window, hits, searcher);
      context.addRescored(window);
      done = true;
      return new TopDocs(topDocs.totalHits, result);
    } catch (ShardBudget.SpentException e) {
      context.services().stats().overBudget(context.bound().ids());
      done = true;
      return new TopDocs(topDocs.totalHits, unscored(hits));
    } finally {
      if (!done) {
        context.services().stats().failed(context.bound().ids());
      }
    }
  }

  private static ScoreDoc[] run(
      EnsembleRescoreContext context, Window window, ScoreDoc[] hits, IndexSearcher searcher)
      throws IOException {
    try (ModelUses uses = ModelUses.acquire(context.services().models(), context.scoringIds());
        ScoredWindow scored = ScoredWindow.of(context, uses.models(), window, searcher)) {
      long start = System.nanoTime();
      double[][] scores = scored.scores();
      if (context.options().shows()) {
        int features = context.options().isGlobal() ? scored.columns() : context.bound().logged();
        long bytes = LoggedRows.bytes(window.size(), features, scores.length);
        MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer log");
        context.addRows(LoggedRows.of(window.docs(), scored.matrices(), features, scores, charge));
      }
      ScoreDoc[] sorted =
          scores.length == 0
              ? hits
              : sort(
                  hits, window, scored.finals().of(window.scores(), scores[0]), context.options());
      long sortNanos = System.nanoTime() - start;
      context
          .services()
          .stats()
          .rescored(window.size(), scored.extractNanos(), scored.scoreNanos(), sortNanos);
      context
          .services()
          .stats()
          .slowLog()
          .log(
              context.bound().ids(),
              context::shard,
              window.size(),
              scored.extractNanos(),
              scored.scoreNanos(),
              sortNanos);
      ClauseProfile profile = context.profile();
      if (profile != null) {
        profile.add(scored, sortNanos, window.size());
        profile.addEngines(context, uses.models());
        profile.addFeatures(context, window, searcher);
      }
      return sorted;
    }
  }

  private static ScoreDoc[] unscored(ScoreDoc[] hits) {
    return Arrays.stream(hits)
        .map(hit -> new ScoreDoc(hit.doc, TIME_IS_UP, hit.shardIndex))
        .sorted((a, b) -> Integer.compare(a.doc, b.doc))
        .toArray(ScoreDoc[]::new);
  }

  /** The hits by descending score, those of one score by doc id. */
  private static ScoreDoc[] sort(
      ScoreDoc[] hits, Window window, float[] scores, ClauseOptions options) {
    OutsideWindow outside = options.outsideWindow();
    long[] keys = new long[outside == OutsideWindow.MIX ? hits.length : window.size()];
    for (int i = 0; i < window.size(); i++) {
      keys[i] = key(scores[i], window.docs()[i]);
    }
    for (int i = window.size(); i < keys.length; i++) {
      keys[i] = key(outside.score(hits[i].score), hits[i].doc);
    }
    Arrays.sort(keys);
    ScoreDoc[] sorted = new ScoreDoc[outside == OutsideWindow.DROP ? window.size() : hits.length];
    for (int i = 0; i < keys.length; i++) {
      float score = NumericUtils.sortableIntToFloat(~(int) (keys[i] >> 32));
      sorted[i] = changed(hits[i], (int) keys[i], score);
    }
    for (int i = keys.length; i < sorted.length; i++) {
      sorted[i] = changed(hits[i], hits[i].doc, outside.score(hits[i].score));
    }
    return sorted;
  }

  /** The hits that came in are nobody's any more; those that say more than a score are left. */
  private static ScoreDoc changed(ScoreDoc hit, int doc, float score) {
    if (hit.getClass() != ScoreDoc.class) {
      return new ScoreDoc(doc, score, hit.shardIndex);
    }
    hit.doc = doc;
    hit.score = score;
    return hit;
  }

  /** Sorts as a number by descending score, then by ascending doc id. */
  private static long key(float score, int doc) {
    return (long) ~NumericUtils.floatToSortableInt(score) << 32 | doc;
  }

  @Override
  public Explanation explain(
      int doc, IndexSearcher searcher, RescoreContext rescoreContext, Explanation source)
      throws IOException {
    EnsembleRescoreContext context = (EnsembleRescoreContext) rescoreContext;
    TimeValue most = context.services().memory().limits().get(RequestLimits.MAX_EXPLAIN_TIME);
    if (context.explainNanos() > most.nanos()) {
      throw new OpenSearchStatusException(
          "explaining this search's hits takes longer than [{}] {} on some shard; ask for fewer",
          RestStatus.GATEWAY_TIMEOUT,
          RequestLimits.MAX_EXPLAIN_TIME.getKey(),
          most);
    }
    long start = System.nanoTime();
    try {
      return HitExplanation.of(doc, searcher, context, source);
    } finally {
      context.addExplainNanos(System.nanoTime() - start);
    }
  }
}
