package io.quickscorer.plugin.feature;

import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;

/** Writes one query's scores into the columns of the features that ask for it. */
final class QueryColumns {
  private static final int DOCUMENTS_PER_CHECK = 256;

  private final Query query;
  private final List<Integer> columns = new ArrayList<>();

  QueryColumns(Query query) {
    this.query = query;
  }

  void add(int column) {
    columns.add(column);
  }

  /** Overwrites the columns where a document matches, and leaves the rest as it is. */
  void collect(
      IndexSearcher searcher, Window window, FeatureMatrix matrix, Cancellation cancellation)
      throws IOException {
    if (columns.isEmpty()) {
      return;
    }
    cancellation.check();
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE, 1);
    int[] starts = columns.stream().mapToInt(matrix::column).toArray();
    Segments.forEach(
        searcher,
        window,
        (segment, from, to) -> {
          cancellation.check();
          ScorerSupplier supplier = weight.scorerSupplier(segment);
          if (supplier != null) {
            Targets targets = new Targets(window.docs(), from, to, segment.docBase);
            score(supplier.get(to - from), targets, starts, matrix.values(), cancellation);
          }
        });
  }

  /** Places [from, to) of the window, all in the segment that starts at {@code base}. */
  private record Targets(int[] docs, int from, int to, int base) {}

  /**
   * Only the approximation is advanced, and only a target is confirmed: advancing the confirmed
   * iterator would verify documents nobody asked about up to its next true match.
   */
  private static void score(
      Scorer scorer, Targets targets, int[] starts, float[] values, Cancellation cancellation)
      throws IOException {
    TwoPhaseIterator confirm = scorer.twoPhaseIterator();
    DocIdSetIterator documents = confirm == null ? scorer.iterator() : confirm.approximation();
    int at = documents.docID();
    for (int i = targets.from; i < targets.to; i++) {
      if ((i - targets.from) % DOCUMENTS_PER_CHECK == DOCUMENTS_PER_CHECK - 1) {
        cancellation.check();
      }
      int target = targets.docs[i] - targets.base;
      if (at < target) {
        at = documents.advance(target);
      }
      if (at == DocIdSetIterator.NO_MORE_DOCS) {
        return;
      }
      if (at == target && (confirm == null || confirm.matches())) {
        float score = scorer.score();
        for (int start : starts) {
          values[start + i] = score;
        }
      }
    }
  }
}
