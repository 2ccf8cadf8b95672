// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** Computes the scores of a query by Lucene's scorer, if the query cannot be divided further. */
final class ScorerNode extends ScoreNode {
  private final IndexSearcher searcher;
  private final Query query;
  private final float boost;

  /** The terms that every matching document contains; empty if they are unknown. */
  private final List<TermColumn> required;

  private @Nullable Weight weight;
  private @Nullable LeafReaderContext current;
  private int documents;
  private @Nullable Scorer scorer;

  ScorerNode(IndexSearcher searcher, Query query, float boost, List<TermColumn> required) {
    this.searcher = searcher;
    this.query = query;
    this.boost = boost;
    this.required = required;
  }

  @Override
  void segment(LeafReaderContext segment, int documents) throws IOException {
    this.current = segment;
    this.documents = documents;
    this.scorer = null;
    present = true;
    for (TermColumn term : required) {
      present &= term.present();
    }
    if (required.isEmpty()) {
      open();
    }
  }

  /**
   * Opens Lucene's scorer for the current segment. For a phrase, it is opened only when a document
   * contains all terms.
   */
  private void open() throws IOException {
    if (weight == null) {
      weight = searcher.createWeight(query, ScoreMode.COMPLETE, boost);
    }
    LeafReaderContext segment = current;
    if (segment != null) {
      ScorerSupplier supplier = weight.scorerSupplier(segment);
      scorer = supplier == null ? null : supplier.get(documents);
    }
    current = null;
    present = scorer != null;
  }

  /**
   * Computes the scores of a block's documents. Some scorers first find candidates, and then
   * confirm each by a slow check; only candidates in the block are checked.
   */
  @Override
  boolean block(Block block) throws IOException {
    for (TermColumn term : required) {
      if (!term.some()) {
        return false;
      }
    }
    int first = 0;
    while (first < block.size() && !mayMatch(first)) {
      first++;
    }
    if (first < block.size() && current != null) {
      open();
    }
    Scorer matching = scorer;
    if (matching == null || first == block.size()) {
      return false;
    }
    allocate(block);
    Arrays.fill(scores, 0, block.size(), Float.NaN);
    TwoPhaseIterator confirm = matching.twoPhaseIterator();
    DocIdSetIterator documents = confirm == null ? matching.iterator() : confirm.approximation();
    int reached = documents.docID();
    for (int i = first; i < block.size() && reached != DocIdSetIterator.NO_MORE_DOCS; i++) {
      if (!mayMatch(i)) {
        continue;
      }
      int doc = block.doc(i);
      if (reached < doc) {
        reached = documents.advance(doc);
      }
      if (reached == doc && (confirm == null || confirm.matches())) {
        scores[i] = matching.score();
      }
    }
    return true;
  }

  private boolean mayMatch(int i) {
    for (int t = 0; t < required.size(); t++) {
      if (required.get(t).frequencies()[i] == 0) {
        return false;
      }
    }
    return true;
  }
}
