// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.window.Cancellation;
import io.quickscorer.plugin.feature.window.Window;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;

/**
 * Runs feature queries with a search's reader, similarity and statistics, including the statistics
 * of a distributed search.
 *
 * <p>The search's own searcher is not used, for two reasons. Under {@code profile}, that searcher
 * requires that its own collectors run every query it creates, and fails if segments are searched
 * concurrently. It also lets a range query stop after as many matches as the page needs, so the
 * query may not reach all hits of the window.
 */
final class FeatureSearcher extends IndexSearcher {
  private final IndexSearcher search;
  private final Thread thread = Thread.currentThread();

  FeatureSearcher(IndexSearcher search) throws IOException {
    super(reader(search.getIndexReader()));
    this.search = search;
    setSimilarity(search.getSimilarity());
    setQueryCache(search.getQueryCache());
    setQueryCachingPolicy(search.getQueryCachingPolicy());
  }

  private static IndexReader reader(IndexReader reader) throws IOException {
    return reader instanceof DirectoryReader directory ? SharedTermsReader.wrap(directory) : reader;
  }

  /** Returns whether this object was created by the calling thread for the given searcher. */
  boolean isOf(IndexSearcher other) {
    return search.equals(other) && thread.equals(Thread.currentThread());
  }

  /**
   * Prepares for the documents of a window. Also copies the search's timeout, which may have
   * changed since the last window.
   */
  void begin(Window window, Cancellation cancellation) {
    setTimeout(search.getTimeout());
    if (getIndexReader() instanceof SharedTermsReader shared) {
      shared.begin(window, cancellation);
    }
  }

  /** Releases the data of the present window. */
  void end() {
    if (getIndexReader() instanceof SharedTermsReader shared) {
      shared.end();
    }
  }

  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    return search.termStatistics(term, docFreq, totalTermFreq);
  }

  @Override
  public CollectionStatistics collectionStatistics(String field) throws IOException {
    return search.collectionStatistics(field);
  }
}
