package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Puts the logged rows on the hits: {@code fields._quickscorer} has one object per logging clause
 * that rescored the hit, with its {@code features} in the set's order, null where one is missing,
 * and the model's {@code score}.
 */
final class LogFetchPhase implements FetchSubPhase {
  static final String FIELD = "_quickscorer";

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    List<EnsembleRescoreContext> clauses = new ArrayList<>();
    for (RescoreContext rescore : context.rescore()) {
      if (rescore instanceof EnsembleRescoreContext clause && clause.options().log()) {
        clauses.add(clause);
      }
    }
    return clauses.isEmpty() ? null : new Processor(clauses);
  }

  private record Processor(List<EnsembleRescoreContext> clauses) implements FetchSubPhaseProcessor {
    @Override
    public void setNextReader(LeafReaderContext readerContext) {}

    @Override
    public void process(HitContext hit) {
      int doc = hit.hit().docId();
      List<Object> logged = new ArrayList<>();
      for (EnsembleRescoreContext clause : clauses) {
        if (clause.isRescored(doc)) {
          add(clause, doc, logged);
        }
      }
      if (!logged.isEmpty()) {
        hit.hit().setDocumentField(FIELD, new DocumentField(FIELD, logged));
      }
    }

    /** Rows are kept for all hits of the page; of others, such as inner hits, there may be none. */
    private static void add(EnsembleRescoreContext clause, int doc, List<Object> logged) {
      if (clause.rows().isEmpty()) {
        throw new IllegalStateException(
            "the features of a hit are no longer kept: its fetch phase came too late");
      }
      for (LoggedRows rows : clause.rows().reversed()) {
        int place = rows.find(doc);
        if (place >= 0) {
          logged.add(row(rows, place));
          return;
        }
      }
    }

    private static Map<String, Object> row(LoggedRows rows, int place) {
      List<Object> features = new ArrayList<>();
      for (int f = 0; f < rows.features(); f++) {
        float value = rows.value(place, f);
        features.add(Float.isNaN(value) ? null : value);
      }
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("features", features);
      if (rows.scored()) {
        row.put("score", rows.score(place));
      }
      return row;
    }
  }
}
