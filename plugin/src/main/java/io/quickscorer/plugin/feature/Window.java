// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;

/**
 * The hits that a model ranks on one shard, ordered by doc id. So features can read one segment (a
 * part of the index) after the other.
 *
 * @param docs the hits' doc ids in the reader of the whole shard, ascending
 * @param scores {@code scores[i]} is the score of {@code docs[i]} by the search's own query
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared; callers read the arrays
public record Window(int[] docs, float[] scores) {
  /** Returns a window of an array's first {@code size} hits, which may be in any order. */
  public static Window of(ScoreDoc[] hits, int size) {
    long[] byDoc = new long[size];
    for (int i = 0; i < size; i++) {
      byDoc[i] = (long) hits[i].doc << 32 | Float.floatToRawIntBits(hits[i].score) & 0xFFFFFFFFL;
    }
    Arrays.sort(byDoc);
    int[] docs = new int[size];
    float[] scores = new float[size];
    for (int i = 0; i < size; i++) {
      docs[i] = (int) (byDoc[i] >>> 32);
      scores[i] = Float.intBitsToFloat((int) byDoc[i]);
    }
    return new Window(docs, scores);
  }

  /**
   * Returns the hits of this window from index {@code from} (inclusive) to {@code to} (exclusive).
   */
  public Window part(int from, int to) {
    return new Window(Arrays.copyOfRange(docs, from, to), Arrays.copyOfRange(scores, from, to));
  }

  public int size() {
    return docs.length;
  }

  /** Processes the hits of a window that are in one segment (a part of the index). */
  public interface Visitor {
    /**
     * Processes the hits of one segment.
     *
     * @param from the index of the segment's first hit in the window
     * @param to the index after the segment's last hit
     */
    void visit(LeafReaderContext segment, int from, int to) throws IOException;
  }

  public void forEachSegment(IndexSearcher searcher, Visitor visitor) throws IOException {
    List<LeafReaderContext> segments = searcher.getIndexReader().leaves();
    for (int from = 0; from < docs.length; ) {
      LeafReaderContext segment = segments.get(ReaderUtil.subIndex(docs[from], segments));
      int end = segment.docBase + segment.reader().maxDoc();
      int to = from + 1;
      while (to < docs.length && docs[to] < end) {
        to++;
      }
      visitor.visit(segment, from, to);
      from = to;
    }
  }
}
