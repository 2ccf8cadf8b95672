// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.global;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.feature.ShardFeature;
import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.RequestLimits;
import io.quickscorer.plugin.model.node.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import io.quickscorer.plugin.rescore.shard.HitExplanation;
import io.quickscorer.plugin.rescore.shard.ModelColumns;
import io.quickscorer.plugin.rescore.shard.ModelExplanation;
import io.quickscorer.plugin.rescore.shard.ModelScores;
import io.quickscorer.plugin.rescore.shard.ModelUses;
import io.quickscorer.plugin.rescore.shard.RescoreServices;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.search.Explanation;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;

/**
 * Ranks the hits of an answer by one clause. The hits of the window are the first ones, in the
 * order in which they stand; hits of one score keep that order.
 *
 * @param place the clause's place among those of its search
 * @param window how many hits are ranked
 * @param budget of the whole search
 */
public record GlobalRanking(
    RescoreServices services,
    ClauseOptions options,
    BoundClause bound,
    int place,
    int window,
    RequestBudget budget,
    Cancellation cancellation) {

  /**
   * Scores the window and cuts out a page. Uses the models, which must be loaded on this node; not
   * for a transport thread.
   *
   * @param hits with the values of their features; they are changed
   */
  public SearchHits rank(SearchHits hits, int from, int size) throws IOException {
    List<SearchHit> all = List.of(hits.getHits());
    List<SearchHit> ranked = all.subList(0, Math.min(window, all.size()));
    all.subList(ranked.size(), all.size()).forEach(hit -> GlobalWindow.takeRow(hit, place));
    if (all.isEmpty()) {
      return hits;
    }
    long cells = GlobalWindow.cells(bound, ranked.size());
    budget.checkValues(cells / Math.max(1, roundedUp(ranked.size())), ranked.size());
    try (ModelUses uses = ModelUses.acquire(services.models(), bound.ids());
        MemoryCharge ignored =
            MemoryCharge.take(
                services.memory().breaker(),
                bytes(cells, ranked.size(), uses.models()),
                "quickscorer global window")) {
      GlobalWindow values = GlobalWindow.take(bound, place, ranked);
      long start = System.nanoTime();
      double[][] scores =
          new ModelScores(services, options, bound)
              .of(
                  uses.models(),
                  values.matrices(),
                  values.columns(),
                  false,
                  services.stats(),
                  0,
                  cancellation);
      long scored = System.nanoTime();
      SearchHits page = page(hits, all, scores, from, size, values, uses.models().getFirst());
      services.stats().ranked(ranked.size(), scored - start, System.nanoTime() - scored);
      return page;
    }
  }

  private static long roundedUp(int hits) {
    return FeatureMatrix.cells(1, hits);
  }

  private static long bytes(long cells, int hits, List<CompiledModel> models) {
    long copied = 0;
    for (CompiledModel model : models) {
      copied = Math.max(copied, FeatureMatrix.cells(ModelColumns.width(model), hits));
    }
    return (cells + copied) * Float.BYTES + (long) models.size() * hits * Double.BYTES;
  }

  private SearchHits page(
      SearchHits hits,
      List<SearchHit> all,
      double[][] scores,
      int from,
      int size,
      GlobalWindow values,
      CompiledModel model)
      throws IOException {
    float[] finals = finals(all, scores[0]);
    Integer[] order = IntStream.range(0, finals.length).boxed().toArray(Integer[]::new);
    // A stable sort: hits of one score keep their order.
    Arrays.sort(order, Collections.reverseOrder((a, b) -> Float.compare(finals[a], finals[b])));
    int end = (int) Math.min(order.length, (long) from + size);
    List<SearchHit> page = new ArrayList<>();
    long explainNanos = 0;
    for (int i = Math.min(from, end); i < end; i++) {
      int place = order[i];
      SearchHit hit = all.get(place);
      if (hit.getExplanation() != null) {
        cancellation.check();
        checkExplainTime(explainNanos);
        long start = System.nanoTime();
        hit.explanation(explain(hit, place, scores[0], values, model));
        explainNanos += System.nanoTime() - start;
      }
      if (place < scores[0].length) {
        show(hit, place, scores, values);
      }
      hit.score(finals[place]);
      page.add(hit);
    }
    return new SearchHits(page.toArray(SearchHit[]::new), hits.getTotalHits(), finals[order[0]]);
  }

  /** Per hit the score by which it is sorted, -0 and 0 alike. */
  private float[] finals(List<SearchHit> all, double[] scores) {
    boolean drops = options.outsideWindow() == OutsideWindow.DROP;
    float[] finals = new float[drops ? scores.length : all.size()];
    for (int i = 0; i < finals.length; i++) {
      float first = all.get(i).getScore();
      finals[i] =
          i < scores.length
              ? options.combination().combine(first, scores[i])
              : options.outsideWindow().score(first);
    }
    return finals;
  }

  private void show(SearchHit hit, int document, double[][] scores, GlobalWindow values) {
    boolean several = options.names().models().size() > 1;
    if (!options.log() && !options.names().showScores()) {
      return;
    }
    Map<String, Object> row = new LinkedHashMap<>();
    DocumentField field = hit.field(ShownHits.FIELD);
    List<Object> rows = new ArrayList<>(field == null ? List.of() : field.getValues());
    if (!rows.isEmpty()) {
      row.put("clause", place);
    }
    if (options.log()) {
      row.put(ShownHits.FEATURES, values.logged(document, bound.logged()));
    }
    row.put("score", scores[0][document]);
    int ranking = options.names().models().size();
    if (several) {
      row.put("scores", scores(scores, document, 0, ranking));
    }
    if (scores.length > ranking) {
      row.put("shadow_scores", scores(scores, document, ranking, scores.length));
    }
    rows.add(row);
    GlobalWindow.show(hit, rows);
  }

  private Map<String, Object> scores(double[][] scores, int document, int from, int to) {
    Map<String, Object> named = new LinkedHashMap<>();
    for (int m = from; m < to; m++) {
      named.put(bound.models().get(m).name(), scores[m][document]);
    }
    return named;
  }

  private void checkExplainTime(long nanos) {
    TimeValue most = services.memory().limits().get(RequestLimits.MAX_EXPLAIN_TIME);
    if (nanos > most.nanos()) {
      throw new OpenSearchStatusException(
          "explaining this search's hits takes longer than [{}] {}; ask for fewer",
          RestStatus.GATEWAY_TIMEOUT,
          RequestLimits.MAX_EXPLAIN_TIME.getKey(),
          most);
    }
  }

  private Explanation explain(
      SearchHit hit, int document, double[] scores, GlobalWindow values, CompiledModel model)
      throws IOException {
    Explanation source = hit.getExplanation();
    float first = hit.getScore();
    if (document >= scores.length) {
      return HitExplanation.outside(options, model.id(), first, source);
    }
    ModelExplanation.Values of =
        new ModelExplanation.Values() {
          @Override
          public float of(int feature) {
            return values.value(document, feature);
          }

          /** Only the shard knows them, and it keeps them for itself. */
          @Override
          public List<ShardFeature.Input> inputs(int feature) {
            return List.of();
          }

          @Override
          public FeatureMatrix row() {
            GlobalWindow alone = values.only(document);
            return new ModelScores(services, options, bound)
                .matrix(0, model, alone.matrices(), alone.columns(), false);
          }
        };
    Explanation byModel =
        new ModelExplanation(services, options, bound.groups().getFirst().features(), model, budget)
            .of(scores[document], of);
    return HitExplanation.combined(options, first, scores[document], byModel, source);
  }
}
