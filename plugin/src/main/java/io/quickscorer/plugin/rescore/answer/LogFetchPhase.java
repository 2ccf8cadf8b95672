// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.answer;

import io.quickscorer.plugin.rescore.shard.EnsembleRescoreContext;
import io.quickscorer.plugin.rescore.shard.LoggedRows;
import io.quickscorer.plugin.rescore.shard.ShownHits;
import io.quickscorer.plugin.wire.WireLevel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Puts what was logged on the hits: {@code fields._quickscorer} has one object per clause that
 * rescored the hit and shows something: several clauses show something, the {@code clause}, its
 * place in {@link RescoreExt}; its {@code features} in the set's order, null where one is missing;
 * the ranking model's {@code score}; where there are several models all {@code scores} by the names
 * the request gave; the {@code shadow_scores} of those that rank nothing.
 */
public final class LogFetchPhase implements FetchSubPhase {
  private final Supplier<WireLevel> wire;

  /**
   * @param wire gives what all nodes of the cluster understand now
   */
  public LogFetchPhase(Supplier<WireLevel> wire) {
    this.wire = wire;
  }

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    List<Showing> clauses = new ArrayList<>();
    int place = 0;
    for (RescoreContext rescore : context.rescore()) {
      if (rescore instanceof EnsembleRescoreContext clause) {
        if (clause.options().shows()) {
          clauses.add(new Showing(place, clause));
        }
        place++;
      }
    }
    return clauses.isEmpty() ? null : new Processor(clauses, wire.get().isCurrent());
  }

  private record Showing(int place, EnsembleRescoreContext clause) {}

  /**
   * @param floats whether the coordinating node takes values as floats: older builds show the NaN
   */
  private record Processor(List<Showing> clauses, boolean floats)
      implements FetchSubPhaseProcessor {
    @Override
    public void setNextReader(LeafReaderContext readerContext) {}

    @Override
    public void process(HitContext hit) {
      int doc = hit.hit().docId();
      List<Object> logged = new ArrayList<>();
      for (Showing showing : clauses) {
        if (showing.clause.isRanked(doc)) {
          add(showing, doc, logged);
        }
      }
      if (!logged.isEmpty()) {
        hit.hit().setDocumentField(ShownHits.FIELD, new DocumentField(ShownHits.FIELD, logged));
      }
    }

    /** Rows are kept for all hits of the page; of others, such as inner hits, there may be none. */
    private void add(Showing showing, int doc, List<Object> logged) {
      EnsembleRescoreContext clause = showing.clause;
      List<LoggedRows> kept = clause.rows();
      if (kept.isEmpty()) {
        throw new IllegalStateException(
            "the features of a hit are no longer kept: its fetch phase came too late");
      }
      for (LoggedRows rows : kept.reversed()) {
        int place = rows.find(doc);
        if (place >= 0) {
          clause
              .answer()
              .charge(ShownHits.rowBytes(rows.features()), "<quickscorer logged values>");
          Map<String, Object> row = new LinkedHashMap<>();
          if (clauses.size() > 1) {
            row.put("clause", showing.place);
          }
          fill(row, clause, rows, place);
          logged.add(row);
          return;
        }
      }
    }

    private void fill(
        Map<String, Object> row, EnsembleRescoreContext clause, LoggedRows rows, int place) {
      if (clause.options().log() || clause.options().isGlobal()) {
        float[] values = rows.values(place);
        row.put(ShownHits.FEATURES, floats ? values : ShownHits.withNulls(values));
      }
      if (clause.options().isGlobal()) {
        // For the coordinating node, which scores them and shows what there is to show.
        return;
      }
      if (rows.models() > 0) {
        row.put("score", rows.score(0, place));
      }
      int ranking = clause.options().names().models().size();
      if (ranking > 1) {
        row.put("scores", scores(clause, rows, place, 0, ranking));
      }
      if (rows.models() > ranking) {
        row.put("shadow_scores", scores(clause, rows, place, ranking, rows.models()));
      }
    }

    private static Map<String, Object> scores(
        EnsembleRescoreContext clause, LoggedRows rows, int place, int from, int to) {
      Map<String, Object> scores = new LinkedHashMap<>();
      for (int m = from; m < to; m++) {
        scores.put(clause.bound().models().get(m).name(), rows.score(m, place));
      }
      return scores;
    }
  }
}
