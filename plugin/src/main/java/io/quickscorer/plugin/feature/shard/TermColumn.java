// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.jspecify.annotations.Nullable;

/**
 * The frequencies of one term in the documents of a block (a group of hits in one segment). All
 * queries that contain the term share them, so its list of documents is read once.
 */
final class TermColumn {
  private final Term term;
  private final Norms norms;
  private int capacity;
  private int[] frequencies = new int[0];

  private int[] places = new int[0];

  private int count;

  /**
   * The terms of the current segment, positioned at this term; null if the segment lacks the term.
   */
  private @Nullable TermsEnum entry;

  /**
   * The term's list of documents, at which the next block continues. Null before the first block,
   * or if one block contains all hits of the segment.
   */
  private @Nullable PostingsEnum postings;

  TermColumn(Term term, Norms norms) {
    this.term = term;
    this.norms = norms;
  }

  /** Sets the maximum number of documents in a block. Arrays are allocated when they are needed. */
  void allocate(int block) {
    capacity = block;
  }

  /**
   * Reads the norms (encoded lengths) of a field in the documents of a block. Skips documents that
   * contain none of the queries' terms. A document without a norm gets 1.
   */
  static final class Norms {
    private final String field;
    private long[] values = new long[0];
    private boolean[] wanted = new boolean[0];

    /** Lucene's norms of the current segment; null until a document's norm is needed. */
    private @Nullable NumericDocValues norms;

    private @Nullable LeafReader unopened;

    Norms(String field) {
      this.field = field;
    }

    void allocate(int block) {
      values = new long[block];
      wanted = new boolean[block];
    }

    void segment(LeafReader reader) {
      norms = null;
      unopened = reader;
    }

    /** Reads the norms (encoded field lengths) of the documents that {@link #wanted} marks. */
    void block(ScoreNode.Block block) throws IOException {
      NumericDocValues own = norms;
      for (int i = 0; i < block.size(); i++) {
        if (wanted[i]) {
          wanted[i] = false;
          if (unopened != null) {
            own = unopened.getNormValues(field);
            norms = own;
            unopened = null;
          }
          values[i] = own != null && own.advanceExact(block.doc(i)) ? own.longValue() : 1;
        }
      }
    }
  }

  /** Returns whether any document of the current segment contains the term. */
  boolean present() {
    return entry != null;
  }

  /** Returns whether any document of the current block contains the term. */
  boolean some() {
    return count > 0;
  }

  /**
   * Returns the block's documents with the term, as indices in the block. The first {@link
   * #count()} elements are valid.
   */
  int[] places() {
    return places;
  }

  int count() {
    return count;
  }

  int[] frequencies() {
    return frequencies;
  }

  long[] norms() {
    return norms.values;
  }

  void segment(LeafReaderContext segment) throws IOException {
    Terms dictionary = segment.reader().terms(term.field());
    TermsEnum found = dictionary == null ? null : dictionary.iterator();
    entry = found != null && found.seekExact(term.bytes()) ? found : null;
    postings = null;
    count = 0;
  }

  /**
   * Reads how often the documents of a block contain the term.
   *
   * @param reuse another term's list of documents (postings) that is no longer needed, or null
   * @return postings that another term may reuse, or null
   */
  @Nullable PostingsEnum block(ScoreNode.Block block, @Nullable PostingsEnum reuse)
      throws IOException {
    TermsEnum found = entry;
    if (found == null) {
      return reuse;
    }
    PostingsEnum documents = postings;
    if (documents == null) {
      documents = found.postings(reuse, PostingsEnum.FREQS);
      postings = block.isWholeSegment() ? null : documents;
    }
    int current = documents.docID();
    count = 0;
    if (frequencies.length < capacity) {
      frequencies = new int[capacity];
      places = new int[capacity];
    }
    Arrays.fill(frequencies, 0, block.size(), 0);
    for (int i = 0; i < block.size(); i++) {
      int doc = block.doc(i);
      if (current < doc) {
        current = documents.advance(doc);
      }
      if (current == doc) {
        frequencies[i] = documents.freq();
        norms.wanted[i] = true;
        places[count++] = i;
      }
    }
    return postings == null ? documents : null;
  }
}
