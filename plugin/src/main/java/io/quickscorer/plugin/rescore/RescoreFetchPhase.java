// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.rescore.shard.CarriedHit;
import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.LoggedRows;
import io.quickscorer.plugin.rescore.shard.PageFetch;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Adds scores, feature values and explanations to the hits that models have ranked: the hits of the
 * page and of {@code top_hits}, but not inner hits.
 *
 * <p>{@code fields._quickscorer} has one object for each clause that ranked the hit and has data to
 * show. It contains:
 *
 * <ul>
 *   <li>{@code clause}, the clause's index in {@link RescoreExt}, if several clauses have data to
 *       show;
 *   <li>{@code features} in the set's order, null for a missing value;
 *   <li>{@code score}, the ranking model's score;
 *   <li>{@code scores} by the names in the request, if there are several models;
 *   <li>{@code shadow_scores} of models that do not rank, only together with features.
 * </ul>
 *
 * <p>A coordinating node that ranks the hits of all shards together gets a {@link CarriedHit}
 * instead.
 */
final class RescoreFetchPhase implements FetchSubPhase {
  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    List<EnsembleRescoreContext> clauses = EnsembleRescoreContext.among(context.rescore());
    if (!clauses.stream().allMatch(clause -> clause.ranks(context.parsedQuery()))) {
      return null;
    }
    List<Showing> showing = new ArrayList<>();
    for (int place = 0; place < clauses.size(); place++) {
      if (clauses.get(place).options().shows()) {
        showing.add(new Showing(place, clauses.get(place)));
      }
    }
    return clauses.isEmpty() || showing.isEmpty() && !context.explain()
        ? null
        : Guard.entry(FetchSubPhaseProcessor.class, new Processor(context, showing));
  }

  private record Showing(int place, EnsembleRescoreContext clause) {}

  private static final class Processor implements FetchSubPhaseProcessor {
    private final FetchContext context;
    private final List<Showing> clauses;

    private final @Nullable GroupValues groups;

    private Processor(FetchContext context, List<Showing> clauses) {
      this.context = context;
      this.clauses = clauses;
      String group = clauses.isEmpty() ? null : clauses.getLast().clause.sent().groupField();
      this.groups = group == null ? null : new GroupValues(group, context.getQueryShardContext());
    }

    @Override
    public void setNextReader(LeafReaderContext leaf) {
      if (groups != null) {
        groups.setLeaf(leaf);
      }
    }

    @Override
    public void process(HitContext hit) throws IOException {
      if (context.explain() && hit.hit().getExplanation() != null) {
        hit.hit().explanation(explanation(hit));
      }
      int doc = hit.hit().docId();
      List<Object> logged = new ArrayList<>();
      for (Showing showing : clauses) {
        EnsembleRescoreContext clause = showing.clause;
        if (clause.options().isGlobal()) {
          PageFetch fetch = clause.pageFetch();
          if (fetch != null) {
            List<Object> group = groups == null ? List.of() : groups.of(hit.docId());
            fetch
                .carried(doc, group)
                .put(hit.hit(), CarriedHit.field(Objects.requireNonNull(clause.bound().nonce())));
          }
        } else if (clause.isRanked(doc)) {
          add(showing, doc, logged);
        }
      }
      if (!logged.isEmpty()) {
        hit.hit().setDocumentField(ShownHits.FIELD, new DocumentField(ShownHits.FIELD, logged));
      }
    }

    /**
     * Returns the explanation of a hit's score, with the changes that all rescorers made, in order.
     * The server's own explanation lacks the changes that this plugin's rescorers made.
     */
    private Explanation explanation(HitContext hit) throws IOException {
      int doc = hit.hit().docId();
      boolean only = context.rescore().stream().allMatch(EnsembleRescoreContext.class::isInstance);
      Explanation explanation =
          ofScore(
              only
                  ? Objects.requireNonNull(hit.hit().getExplanation())
                  : context.searcher().explain(context.query(), doc),
              hit);
      for (RescoreContext rescore : context.rescore()) {
        explanation =
            rescore instanceof EnsembleRescoreContext clause
                ? clause.explain(doc, context.searcher(), explanation)
                : rescore.rescorer().explain(doc, context.searcher(), rescore, explanation);
      }
      return explanation;
    }

    /**
     * Returns an explanation of the query's score with the score that the query computes. The
     * server explains some queries, such as {@code function_score}, with another rounding.
     */
    private Explanation ofScore(Explanation source, HitContext hit) throws IOException {
      Query query = context.searcher().rewrite(context.query());
      Scorer scorer =
          context.searcher().createWeight(query, ScoreMode.COMPLETE, 1).scorer(hit.readerContext());
      if (scorer == null || scorer.iterator().advance(hit.docId()) != hit.docId()) {
        return source;
      }
      float score = scorer.score();
      return score == source.getValue().floatValue()
          ? source
          : Explanation.match(score, source.getDescription(), source.getDetails());
    }

    private void add(Showing showing, int doc, List<Object> logged) {
      EnsembleRescoreContext clause = showing.clause;
      LoggedRows.Row found = clause.rowOf(doc);
      if (found == null) {
        return;
      }
      long bytes = ShownHits.rowBytes(found.rows().features());
      clause.answer().charge(bytes, "<quickscorer logged values>");
      Map<String, Object> row = new LinkedHashMap<>();
      if (clauses.size() > 1) {
        row.put("clause", showing.place);
      }
      ShownHits.fill(
          row, clause.options(), clause.bound(), found.models(), found::values, found::score);
      logged.add(row);
    }
  }
}
