// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.clause.ScoreCombination;
import io.quickscorer.plugin.rescore.clause.TimeBudget;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.rescore.Rescorer;

/**
 * Ranks hits on a shard: sorts them by doc id, computes a matrix of their features, scores it by
 * the clause's models, and sorts the hits by score if the scope is {@code shard}. Repeats this for
 * each stage of the clause. Stateless: the data are in the {@link EnsembleRescoreContext}.
 */
final class EnsembleRescorer implements Rescorer {
  static final EnsembleRescorer INSTANCE = new EnsembleRescorer();

  private EnsembleRescorer() {}

  @Override
  public TopDocs rescore(TopDocs topDocs, IndexSearcher searcher, RescoreContext rescoreContext)
      throws IOException {
    EnsembleRescoreContext context = (EnsembleRescoreContext) rescoreContext;
    // The buckets of a top_hits aggregation are windows too, and several threads may rescore them.
    // The searcher has only one timeout, so only one window at a time may set it.
    synchronized (searcher) {
      return Guard.call(() -> "a window", () -> rescore(topDocs, searcher, context));
    }
  }

  private static TopDocs rescore(
      TopDocs topDocs, IndexSearcher searcher, EnsembleRescoreContext context) throws IOException {
    ScoreDoc[] hits = context.firstPass(topDocs.scoreDocs, searcher);
    int ranked = context.ranked(hits);
    int size = context.sent().moved() ? ranked : Math.min(context.window(), ranked);
    if (size == 0) {
      return new TopDocs(topDocs.totalHits, hits);
    }
    boolean done = false;
    TimeBudget limit = context.options().budget();
    ShardBudget budget =
        limit == null
            ? null
            : new ShardBudget(searcher, limit, context.spentNanos(), System::nanoTime);
    try (budget) {
      Cancellation.of(searcher).check();
      Window window = Window.of(hits, size);
      ScoreDoc[] result = run(context, window, hits, searcher, budget);
      done = true;
      return new TopDocs(topDocs.totalHits, result);
    } catch (ShardBudget.SpentException e) {
      context.spend();
      context
          .services()
          .stats()
          .overBudget(
              context.bound().ids(),
              context::shard,
              context::request,
              size,
              Objects.requireNonNull(budget).spentNanos());
      done = true;
      return new TopDocs(topDocs.totalHits, unscored(hits));
    } finally {
      if (budget != null) {
        context.addSpentNanos(budget.spentNanos());
      }
      if (!done) {
        context.services().stats().failed(context.bound().ids());
      }
    }
  }

  private static ScoreDoc[] run(
      EnsembleRescoreContext context,
      Window window,
      ScoreDoc[] hits,
      IndexSearcher searcher,
      @Nullable ShardBudget budget)
      throws IOException {
    List<BoundClause.Stage> stages = context.stages();
    try (RescoreServices.ModelUses uses = context.services().acquire(context.scoringIds());
        Cascade cascade =
            stages.size() == 1 ? null : Cascade.of(context, uses.models(), window, searcher);
        ScoredWindow last =
            cascade == null
                ? ScoredWindow.of(
                    context, stages.getFirst(), uses.models(), window, searcher, List.of())
                : cascade.last(context, uses.models(), searcher)) {
      long start = System.nanoTime();
      double[][] scores = last.scores();
      boolean global = context.options().isGlobal();
      if (context.options().shows()) {
        int features = global ? last.columns() : context.bound().logged();
        long bytes = LoggedRows.bytes(last.window().size(), features, scores.length);
        MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer log");
        context.addRows(
            LoggedRows.of(last.window().docs(), last.matrices(), features, scores, charge));
      }
      boolean unsorted = global || scores.length == 0;
      ScoreDoc[] sorted = unsorted ? hits : sort(hits, window, cascade, last, context.options());
      int[] docs = last.window().docs();
      context.addRescored(cascade == null ? docs : cascade.marks(docs));
      last.sorted(System.nanoTime() - start);
      List<ScoredWindow> all = cascade == null ? List.of(last) : cascade.all(last);
      count(context, window, all);
      ClauseProfile profile = context.profile();
      if (profile != null) {
        if (budget != null) {
          // The time for profiling does not count as time for rescoring.
          budget.close();
        }
        profile.add(context, all, uses.models(), searcher);
      }
      return sorted;
    }
  }

  /**
   * Adds the times for ranking one list of hits to the statistics.
   *
   * @param window the hits
   * @param scored the scored hits of each stage that has run
   */
  private static void count(
      EnsembleRescoreContext context, Window window, List<ScoredWindow> scored) {
    long extract = scored.stream().mapToLong(ScoredWindow::extractNanos).sum();
    long score = scored.stream().mapToLong(ScoredWindow::scoreNanos).sum();
    long sort = scored.stream().mapToLong(ScoredWindow::sortNanos).sum();
    context
        .services()
        .stats()
        .rescored(
            context.bound().ids(),
            context::shard,
            context::request,
            window.size(),
            extract,
            score,
            sort);
  }

  private static ScoreDoc[] unscored(ScoreDoc[] hits) {
    return Arrays.stream(hits)
        .map(hit -> new ScoreDoc(hit.doc, ScoreCombination.TIME_IS_UP, hit.shardIndex))
        .sorted((a, b) -> Integer.compare(a.doc, b.doc))
        .toArray(ScoreDoc[]::new);
  }

  /**
   * Returns the sorted hits: first the hits that the last stage ({@link Cascade}) ranked; then
   * those that earlier stages ranked but did not keep, the latest of these stages first; then
   * unranked hits. Each part is sorted by descending score, then by doc id. With the option {@code
   * mix}, all hits are sorted together.
   */
  private static ScoreDoc[] sort(
      ScoreDoc[] hits,
      Window window,
      @Nullable Cascade cascade,
      ScoredWindow last,
      ClauseOptions options)
      throws IOException {
    OutsideWindow outside = options.outsideWindow();
    Window ranked = last.window();
    float[] scores = last.finals();
    boolean mixes = outside == OutsideWindow.MIX;
    long[] keys = HitKeys.of(ranked, scores, mixes ? hits.length : ranked.size());
    for (int i = ranked.size(); i < keys.length; i++) {
      keys[i] = HitKeys.of(hits[i].score, hits[i].doc);
    }
    Arrays.sort(keys);
    ScoreDoc[] sorted = new ScoreDoc[outside == OutsideWindow.DROP ? ranked.size() : hits.length];
    int next = 0;
    for (long key : keys) {
      sorted[next] = changed(hits[next], HitKeys.doc(key), HitKeys.score(key));
      next++;
    }
    if (next == sorted.length) {
      return sorted;
    }
    int stages = options.stages().size();
    if (cascade != null) {
      for (Cascade.Dropped dropped : cascade.dropped()) {
        for (long key : dropped.keys()) {
          float score = outside.score(HitKeys.score(key), stages - 1 - dropped.stage(), stages + 1);
          sorted[next] = changed(hits[next], HitKeys.doc(key), score);
          next++;
        }
      }
    }
    for (int i = window.size(); i < sorted.length; i++) {
      float score = outside.score(hits[i].score, stages, stages + 1);
      sorted[i] = changed(hits[i], hits[i].doc, score);
    }
    return sorted;
  }

  /**
   * Returns a hit with another document and score. This is {@code hit} itself, which is changed; or
   * a new object if the class of {@code hit} is a subclass of {@link ScoreDoc}.
   */
  private static ScoreDoc changed(ScoreDoc hit, int doc, float score) {
    if (hit.getClass() != ScoreDoc.class) {
      return new ScoreDoc(doc, score, hit.shardIndex);
    }
    hit.doc = doc;
    hit.score = score;
    return hit;
  }

  /**
   * Returns {@code source} unchanged. The fetch phase adds the explanation of this clause, because
   * only that phase can distinguish ranked hits from inner hits.
   */
  @Override
  public Explanation explain(
      int doc, IndexSearcher searcher, RescoreContext context, Explanation source) {
    return source;
  }

  /** Encodes hits as numbers; ascending numbers mean descending scores, then ascending doc ids. */
  static final class HitKeys {
    private HitKeys() {}

    public static long of(float score, int doc) {
      return (long) ~NumericUtils.floatToSortableInt(score) << 32 | doc;
    }

    public static float score(long key) {
      return NumericUtils.sortableIntToFloat(~(int) (key >> 32));
    }

    public static int doc(long key) {
      return (int) key;
    }

    /**
     * Returns the keys (encoded hits) of a window's hits, not sorted.
     *
     * @param scores the scores of the window's hits
     * @param length the length of the returned array; the caller fills the elements after the
     *     window's hits
     */
    public static long[] of(Window window, float[] scores, int length) {
      long[] keys = new long[length];
      for (int i = 0; i < window.size(); i++) {
        keys[i] = of(scores[i], window.docs()[i]);
      }
      return keys;
    }
  }
}
