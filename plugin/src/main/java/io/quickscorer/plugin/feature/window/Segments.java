// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;

/** Groups the documents of a window by segment. */
public final class Segments {
  private Segments() {}

  /** Handles those documents of a window that are in one segment. */
  public interface Visitor {
    /**
     * Handles the documents of a window in one segment.
     *
     * @param from the index in the window of the first document in the segment
     * @param to the index after the last one
     */
    void visit(LeafReaderContext segment, int from, int to) throws IOException;
  }

  public static void forEach(IndexSearcher searcher, Window window, Visitor visitor)
      throws IOException {
    List<LeafReaderContext> segments = searcher.getIndexReader().leaves();
    int[] docs = window.docs();
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
