package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.model.LoadedModel;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelLookup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.rescore.RescoreContext;
import org.opensearch.search.rescore.Rescorer;

/**
 * Hits by doc id, then their feature matrix, then its scores, then hits by score. Stateless: all it
 * works on is in the {@link EnsembleRescoreContext}, in which it may be called several times.
 */
final class EnsembleRescorer implements Rescorer {
  static final EnsembleRescorer INSTANCE = new EnsembleRescorer();

  private EnsembleRescorer() {}

  @Override
  public TopDocs rescore(TopDocs topDocs, IndexSearcher searcher, RescoreContext rescoreContext)
      throws IOException {
    EnsembleRescoreContext context = (EnsembleRescoreContext) rescoreContext;
    ScoreDoc[] hits = topDocs.scoreDocs;
    int size = Math.min(context.getWindowSize(), hits.length);
    if (size == 0) {
      return topDocs;
    }
    boolean done = false;
    try {
      Window window = Window.of(hits, size);
      ScoreDoc[] result = hits;
      ModelId id = context.bound().model();
      if (id == null) {
        run(context, null, window, hits, searcher);
      } else {
        try (ModelLookup.ModelUse use = context.services().models().acquire(id)) {
          result = run(context, use.model(), window, hits, searcher);
        }
      }
      context.addRescored(window);
      done = true;
      return new TopDocs(topDocs.totalHits, result);
    } finally {
      if (!done) {
        context.services().stats().failed();
      }
    }
  }

  private static ScoreDoc[] run(
      EnsembleRescoreContext context,
      @Nullable LoadedModel model,
      Window window,
      ScoreDoc[] hits,
      IndexSearcher searcher)
      throws IOException {
    try (ScoredWindow scored = ScoredWindow.of(context, model, window, searcher)) {
      long start = System.nanoTime();
      if (context.options().log()) {
        long bytes = LoggedRows.bytes(window.size(), scored.features().features());
        MemoryCharge charge = MemoryCharge.take(context.breaker(), bytes, "quickscorer log");
        context.addRows(LoggedRows.of(window.docs(), scored.features(), scored.scores(), charge));
      }
      double[] scores = scored.scores();
      ScoreDoc[] sorted = scores == null ? hits : sort(hits, window, scores, context.options());
      context
          .services()
          .stats()
          .rescored(
              window.size(), scored.extractNanos(), scored.scoreNanos(), System.nanoTime() - start);
      return sorted;
    }
  }

  /** The hits by descending score, those of one score by doc id. */
  private static ScoreDoc[] sort(
      ScoreDoc[] hits, Window window, double[] scores, ClauseOptions options) {
    boolean mixed = options.outsideWindow() == OutsideWindow.MIX;
    long[] keys = new long[mixed ? hits.length : window.size()];
    for (int i = 0; i < window.size(); i++) {
      keys[i] = key(options.combination().combine(window.scores()[i], scores[i]), window.docs()[i]);
    }
    for (int i = window.size(); i < keys.length; i++) {
      keys[i] = key(options.outsideWindow().score(hits[i].score), hits[i].doc);
    }
    Arrays.sort(keys);
    ScoreDoc[] sorted = new ScoreDoc[hits.length];
    for (int i = 0; i < keys.length; i++) {
      float score = NumericUtils.sortableIntToFloat(~(int) (keys[i] >> 32));
      sorted[i] = new ScoreDoc((int) keys[i], score, hits[i].shardIndex);
    }
    for (int i = keys.length; i < hits.length; i++) {
      float score = options.outsideWindow().score(hits[i].score);
      sorted[i] = new ScoreDoc(hits[i].doc, score, hits[i].shardIndex);
    }
    return sorted;
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
    ClauseOptions options = context.options();
    ModelId id = context.bound().model();
    float firstPass = source.getValue().floatValue();
    if (id == null) {
      return source;
    }
    if (!context.isRescored(doc)) {
      return options.outsideWindow() == OutsideWindow.MIX
          ? source
          : Explanation.match(
              options.outsideWindow().score(firstPass),
              "outside the window of [" + id.name() + "]: below all rescored hits, by:",
              source);
    }
    Window window = new Window(new int[] {doc}, new float[] {firstPass});
    try (ModelLookup.ModelUse use = context.services().models().acquire(id);
        ScoredWindow scored = ScoredWindow.of(context, use.model(), window, searcher)) {
      double model = scored.scores() == null ? Double.NaN : scored.scores()[0];
      List<Explanation> details = new ArrayList<>();
      details.add(
          Explanation.match(
              model,
              (options.transformed() ? "transformed" : "raw")
                  + " score of model ["
                  + id
                  + "] by "
                  + context.services().engines().scorer(use.model(), options).engine()
                  + ", from:",
              features(context, scored)));
      details.add(source);
      return Explanation.match(
          options.combination().combine(firstPass, model),
          "score_mode [" + options.combination().mode() + "] of model score and first-pass score:",
          details);
    }
  }

  private static List<Explanation> features(EnsembleRescoreContext context, ScoredWindow scored) {
    List<BoundFeature> bound = context.bound().features().features();
    List<Explanation> features = new ArrayList<>();
    for (int f = 0; f < bound.size(); f++) {
      if (!(bound.get(f) instanceof BoundFeature.Unused)) {
        float value = scored.value(0, f);
        String name = "feature [" + bound.get(f).name() + "]";
        features.add(
            Float.isNaN(value)
                ? Explanation.noMatch(name + " is missing")
                : Explanation.match(value, name));
      }
    }
    return features;
  }
}
