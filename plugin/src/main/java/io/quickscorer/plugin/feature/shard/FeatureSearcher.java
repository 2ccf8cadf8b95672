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
 * Runs feature queries over a search's reader with that search's similarity and statistics, those
 * of a distributed search included.
 *
 * <p>Not the search's own searcher, for two reasons: under {@code profile} it expects every query
 * it makes to be run by its collectors, and fails where segments are searched concurrently; and it
 * lets range queries stop after as many matches as the page needs, which may be before a hit of
 * ours.
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

  /** Whether it is a search's, for the thread that asks. */
  boolean isOf(IndexSearcher other) {
    return search.equals(other) && thread.equals(Thread.currentThread());
  }

  /** Moves to a window; the search's timeout may be another by now. */
  void begin(Window window, Cancellation cancellation) {
    setTimeout(search.getTimeout());
    if (getIndexReader() instanceof SharedTermsReader shared) {
      shared.begin(window, cancellation);
    }
  }

  /** Lets go of what it holds of a window. */
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
