// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.OutsideWindow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.Explanation;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;

/**
 * Sorts the hits of all shards on the coordinating node, and adds scores, logged values and
 * explanations to the hits of one page.
 */
final class GlobalOrder {
  private final GlobalRanking ranking;
  private final ClauseOptions options;
  private final List<SearchHit> all;
  private final List<CarriedHit> sent;
  private final double[][] scores;
  private final GlobalWindow values;
  private final List<CompiledModel> models;
  private final FinalScores finalScores;

  /**
   * The number of hits that the models scored. These hits are the first elements of {@link #all}.
   */
  private final int window;

  /** The scores by which the hits are sorted. */
  private final float[] finals;

  private long explainNanos;

  /**
   * Prepares to sort the hits of all shards.
   *
   * @param sent the data that the shards sent, in the order of {@code all}
   * @param window the number of hits that the models scored; these hits are the first elements of
   *     {@code all}
   * @param scores for each model, the scores of these hits; empty if there is no model
   * @param values the feature values of these hits
   * @param models the models; the caller keeps them in memory
   */
  GlobalOrder(
      GlobalRanking ranking,
      List<SearchHit> all,
      List<CarriedHit> sent,
      int window,
      double[][] scores,
      GlobalWindow values,
      List<CompiledModel> models)
      throws IOException {
    this.ranking = ranking;
    this.options = ranking.options();
    this.all = all;
    this.sent = sent;
    this.window = window;
    this.scores = scores;
    this.values = values;
    this.models = models;
    this.finalScores =
        new FinalScores(
            ranking.services(),
            options,
            ranking.bound(),
            values.matrices().getFirst(),
            values.columns().getFirst());
    this.finals = finals();
  }

  GlobalRanking.Page cut(SearchHits hits, int from, int size) throws IOException {
    List<Integer> order = new ArrayList<>();
    Double minScore = options.rules().minModelScore();
    for (int i = 0; i < finals.length; i++) {
      if (minScore == null || i >= window || scores[0][i] >= minScore) {
        order.add(i);
      }
    }
    int belowScore = finals.length - order.size();
    if (scores.length > 0) {
      // The sort is stable, so hits with equal scores keep their order.
      order.sort(Collections.reverseOrder((a, b) -> Float.compare(finals[a], finals[b])));
    }
    HitGroups collapse = ranking.collapse();
    List<List<Integer>> groups =
        collapse == null ? order.stream().map(List::of).toList() : collapse.of(order, all, sent);
    Integer max = options.rules().maxRank();
    List<List<Integer>> kept =
        max == null ? groups : groups.subList(0, Math.min(max, groups.size()));
    int beyondRank =
        (int)
            groups.subList(kept.size(), groups.size()).stream()
                .flatMap(List::stream)
                .filter(hit -> hit < window)
                .count();
    List<SearchHit> page = new ArrayList<>();
    int end = (int) Math.min(kept.size(), (long) from + size);
    for (List<Integer> group : kept.subList(Math.min(from, end), end)) {
      page.add(shown(group, collapse));
    }
    float best = kept.isEmpty() ? Float.NaN : finals[kept.getFirst().getFirst()];
    return new GlobalRanking.Page(
        new SearchHits(page.toArray(SearchHit[]::new), hits.getTotalHits(), best),
        belowScore,
        beyondRank);
  }

  /** Returns a group's first hit, to which other hits of the group are added as inner hits. */
  private SearchHit shown(List<Integer> group, @Nullable HitGroups collapse) throws IOException {
    int count = Math.max(1, collapse == null ? 1 : collapse.shown());
    List<SearchHit> hits = new ArrayList<>();
    for (int hit : group) {
      if (hits.size() < count) {
        ready(hit);
      }
      hits.add(all.get(hit));
    }
    if (collapse != null) {
      collapse.show(hits);
    }
    return hits.getFirst();
  }

  private void ready(int place) throws IOException {
    SearchHit hit = all.get(place);
    if (!sent.get(place).fetched()) {
      throw new IllegalStateException(
          "internal error: a shard did not fetch a hit of the page, because its scores differ from"
              + " those of the coordinating node; report this as a bug");
    }
    if (hit.getExplanation() != null && scores.length > 0) {
      ranking.cancellation().check();
      HitExplanation.checkTime(ranking.services(), explainNanos, "");
      long start = System.nanoTime();
      hit.explanation(explain(hit, place));
      explainNanos += System.nanoTime() - start;
    }
    if (place < window) {
      show(hit, place);
    }
    hit.score(finals[place]);
  }

  private float[] finals() throws IOException {
    // With collapse, hits beyond the window are left out, because shards do not send all hits of
    // the groups there.
    boolean drops = options.outsideWindow() == OutsideWindow.DROP || ranking.collapse() != null;
    boolean ranks = scores.length > 0;
    float[] sorted = new float[drops && ranks ? window : all.size()];
    for (int i = 0; i < sorted.length; i++) {
      float first = all.get(i).getScore();
      sorted[i] = ranks && i >= window ? options.outsideWindow().score(first) : first;
    }
    if (ranks) {
      float[] firstPass = new float[window];
      for (int i = 0; i < window; i++) {
        firstPass[i] = all.get(i).getScore();
      }
      System.arraycopy(finalScores.of(firstPass, scores[0]), 0, sorted, 0, window);
    }
    return sorted;
  }

  private void show(SearchHit hit, int document) {
    if (!options.log() && !options.names().showScores()) {
      return;
    }
    Map<String, Object> row = new LinkedHashMap<>();
    DocumentField field = hit.field(ShownHits.FIELD);
    List<Object> rows = new ArrayList<>(field == null ? List.of() : field.getValues());
    if (!rows.isEmpty()) {
      row.put("clause", ranking.place());
    }
    ShownHits.fill(
        row,
        options,
        ranking.bound(),
        scores.length,
        () -> values.logged(document, ranking.bound().logged()),
        m -> scores[m][document]);
    rows.add(row);
    hit.setDocumentField(ShownHits.FIELD, new DocumentField(ShownHits.FIELD, rows));
  }

  private Explanation explain(SearchHit hit, int document) throws IOException {
    Explanation source = hit.getExplanation();
    float first = hit.getScore();
    CompiledModel model = models.getFirst();
    if (document >= window) {
      return options
          .outsideWindow()
          .explain(model.id().name(), first, options.stages().size(), source);
    }
    GlobalWindow alone = values.only(document);
    FeatureMatrix row =
        new ModelScores(ranking.services(), options, ranking.bound())
            .matrix(0, model, alone.matrices(), alone.columns(), false);
    // Shards do not send the values from which a feature is computed, so the list of them is empty.
    ModelExplanation.Values hitValues =
        new ModelExplanation.Values(
            alone.matrices().getFirst(), alone.columns().getFirst(), row, feature -> List.of());
    Explanation byModel =
        new ModelExplanation(
                ranking.services(),
                options,
                ranking.bound().groups().getFirst().features(),
                model,
                ranking.budget())
            .of(scores[0][document], hitValues);
    return finalScores.explain(document, first, scores[0][document], byModel, source);
  }
}
