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
 * The frequencies of a term in the documents of a block. The term's postings are read once for all
 * queries that contain the term.
 */
final class TermColumn {
  private final Term term;
  private final Norms norms;
  private int capacity;
  private int[] frequencies = new int[0];

  /** The documents with the term, as indices in the block: the first {@link #count} elements. */
  private int[] places = new int[0];

  private int count;

  /** The segment's dictionary, positioned at the term; null if the segment lacks it. */
  private @Nullable TermsEnum entry;

  /**
   * The term's postings, in which the next block continues. Null before the first block, or if the
   * segment's documents are one block.
   */
  private @Nullable PostingsEnum postings;

  TermColumn(Term term, Norms norms) {
    this.term = term;
    this.norms = norms;
  }

  /**
   * Sets the maximum number of documents in a block. The arrays are allocated only if a segment has
   * the term.
   */
  void allocate(int block) {
    capacity = block;
  }

  /**
   * The length norms of a field for the documents of a block; 1 if the field has no norms. Norms
   * are loaded only for documents that contain at least one of the columns' terms.
   */
  static final class Norms {
    private final String field;
    private long[] values = new long[0];
    private boolean[] wanted = new boolean[0];

    /** The segment's norms; null until the norm of a document is needed. */
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

    /**
     * Reads the norms of the block's documents that the field's terms have marked in {@link
     * #wanted}.
     */
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

  /** Returns whether any document of the segment contains the term. */
  boolean present() {
    return entry != null;
  }

  /** Returns whether any document of the block contains the term. */
  boolean some() {
    return count > 0;
  }

  /** Returns {@link #count} documents with the term, as indices in the block. */
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
   * Reads the frequencies of the term in the documents of a block.
   *
   * @param reuse another term's postings that are no longer needed, or null
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
