// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.node.ModelLookup;
import io.quickscorer.plugin.rescore.clause.ModelNames;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.opensearch.action.StepListener;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.rescore.RescorerBuilder;

/**
 * A search that mixes (interleaves) the rankings of two models, to compare them. It runs two
 * searches, each ranked by one model over all shards and scored by both models. Then {@link
 * TeamDraft} mixes their hits.
 */
final class InterleavedSearch {
  private final SearchSourceBuilder source;
  private final EnsembleRescorerBuilder clause;
  private final ModelNames names;
  private final long seed;
  private final int from;
  private final int end;

  /** Holds the versions of both models, so that both searches use the same versions. */
  private final AtomicReference<ModelLookup.Names> shared = new AtomicReference<>();

  InterleavedSearch(SearchSourceBuilder source, EnsembleRescorerBuilder clause) {
    this.source = source;
    this.clause = clause;
    this.names = clause.options().names();
    this.seed = Objects.requireNonNull(names.seed());
    this.from = Math.max(0, source.from());
    this.end = (int) Math.min((long) from + Clauses.size(source), Integer.MAX_VALUE);
  }

  /**
   * Runs both searches, and passes the response with the interleaved hits to the listener.
   *
   * @param search runs one of the two searches, and passes its response to a listener
   */
  void run(
      SearchRequest request,
      BiConsumer<SearchRequest, ActionListener<SearchResponse>> search,
      ActionListener<SearchResponse> listener) {
    StepListener<SearchResponse> first = new StepListener<>();
    StepListener<SearchResponse> second = new StepListener<>();
    search.accept(Clauses.copy(request, rankedBy(0)), first);
    search.accept(Clauses.copy(request, rankedBy(1)), second);
    Guard.then(
        first,
        a ->
            Guard.then(
                second,
                b -> ActionListener.completeWith(listener, () -> answer(a, b)),
                listener::onFailure),
        listener::onFailure);
  }

  /** Returns a search for hits from the first one on; model 0 or model 1 ranks these hits. */
  private SearchSourceBuilder rankedBy(int model) {
    SearchSourceBuilder ranked = SearchBody.copy(source).from(0).size(end);
    List<?> rescorers = List.copyOf(source.rescores());
    ranked.clearRescorers();
    for (Object rescorer : rescorers.subList(0, rescorers.size() - 1)) {
      ranked.addRescorer(
          rescorer instanceof EnsembleRescorerBuilder earlier
              ? earlier.with(earlier.options().names(), shared)
              : (RescorerBuilder<?>) rescorer);
    }
    ranked.addRescorer(clause.with(names.rankedBy(model), shared));
    return ranked;
  }

  private SearchResponse answer(SearchResponse a, SearchResponse b) {
    long took = Math.max(a.getTook().millis(), b.getTook().millis());
    for (SearchResponse one : List.of(a, b)) {
      RescoreExt ext = SearchResponses.ext(one);
      if (ext != null && ext.hasFallenBack()) {
        SearchHit[] all = one.getHits().getHits();
        SearchHit[] page = Arrays.copyOfRange(all, Math.min(from, all.length), all.length);
        return SearchResponses.with(one, hits(one, page), ext, took);
      }
    }
    RescoreExt ext = SearchResponses.ext(a);
    return SearchResponses.with(
        a, hits(a, page(a, b)), ext == null ? null : ext.interleaved(seed), took);
  }

  private static SearchHits hits(SearchResponse answer, SearchHit[] page) {
    return new SearchHits(page, answer.getHits().getTotalHits(), answer.getHits().getMaxScore());
  }

  private SearchHit[] page(SearchResponse a, SearchResponse b) {
    List<SearchHit[]> rankings = List.of(a.getHits().getHits(), b.getHits().getHits());
    List<TeamDraft.Pick> picks =
        TeamDraft.draft(keys(rankings.get(0)), keys(rankings.get(1)), end, seed);
    List<SearchHit> page = new ArrayList<>();
    for (TeamDraft.Pick pick : picks.subList(Math.min(from, picks.size()), picks.size())) {
      SearchHit hit = rankings.get(pick.team())[pick.rank()];
      setTeam(hit, names.models().get(pick.team()));
      page.add(hit);
    }
    return page.toArray(SearchHit[]::new);
  }

  private static List<String> keys(SearchHit[] hits) {
    return Arrays.stream(hits).map(StandingHits::key).toList();
  }

  /** Adds the name of the model that picked a hit to the hit's field {@code quickscorer}. */
  private static void setTeam(SearchHit hit, String team) {
    DocumentField field = hit.field(ShownHits.FIELD);
    List<Object> shown = new ArrayList<>(field == null ? List.of() : field.getValues());
    Map<String, Object> last = new LinkedHashMap<>();
    if (!shown.isEmpty() && shown.removeLast() instanceof Map<?, ?> scores) {
      scores.forEach((key, value) -> last.put(String.valueOf(key), value));
    }
    last.put("team", team);
    shown.add(last);
    hit.setDocumentField(ShownHits.FIELD, new DocumentField(ShownHits.FIELD, shown));
  }
}
