// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.score;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.jspecify.annotations.Nullable;

/** How often the documents of a block have a term: its postings walked once for all who ask. */
final class TermColumn {
  private final Term term;
  private final Norms norms;
  private int[] frequencies = new int[0];
  private @Nullable PostingsEnum postings;

  TermColumn(Term term, Norms norms) {
    this.term = term;
    this.norms = norms;
  }

  void allocate(int block) {
    frequencies = new int[block];
  }

  /** The norms of a field's documents, 1 where a field has none. */
  static final class Norms {
    private final String field;
    private long[] values = new long[0];
    private @Nullable NumericDocValues norms;

    /** Whether some term of the field is in the segment. */
    private boolean needed;

    Norms(String field) {
      this.field = field;
    }

    void allocate(int block) {
      values = new long[block];
    }

    void segment(LeafReader reader) throws IOException {
      norms = reader.getNormValues(field);
      needed = false;
    }

    void block(ScoreNode.Block block) throws IOException {
      NumericDocValues values = norms;
      if (!needed) {
        return;
      }
      for (int i = 0; i < block.size(); i++) {
        this.values[i] =
            values != null && values.advanceExact(block.doc(i)) ? values.longValue() : 1;
      }
    }
  }

  /** Whether the segment has the term. */
  boolean present() {
    return postings != null;
  }

  int[] frequencies() {
    return frequencies;
  }

  long[] norms() {
    return norms.values;
  }

  void segment(LeafReaderContext segment) throws IOException {
    Terms dictionary = segment.reader().terms(term.field());
    TermsEnum entry = dictionary == null ? null : dictionary.iterator();
    postings =
        entry != null && entry.seekExact(term.bytes())
            ? entry.postings(null, PostingsEnum.FREQS)
            : null;
    norms.needed |= postings != null;
  }

  void block(ScoreNode.Block block) throws IOException {
    PostingsEnum documents = postings;
    if (documents == null) {
      return;
    }
    int at = documents.docID();
    for (int i = 0; i < block.size(); i++) {
      int doc = block.doc(i);
      if (at < doc) {
        at = documents.advance(doc);
      }
      frequencies[i] = at == doc ? documents.freq() : 0;
    }
  }
}
