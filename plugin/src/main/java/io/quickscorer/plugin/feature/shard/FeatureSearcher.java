// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.Window;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;

/**
 * Runs the queries of features with a search's reader, similarity and statistics.
 *
 * <p>The search's own searcher is unsuitable. With {@code profile}, it records every query that it
 * runs. It also stops a range query when it has found enough hits for the requested page.
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
    return reader instanceof DirectoryReader directory ? SharedReader.wrap(directory) : reader;
  }

  /** Returns whether the calling thread created this object, for the searcher {@code other}. */
  boolean isOf(IndexSearcher other) {
    return search.equals(other) && thread.equals(Thread.currentThread());
  }

  /**
   * Prepares to compute features for a list of hits, and copies the search's timeout, which may
   * have changed since the last list.
   */
  void begin(Window window, Cancellation cancellation) {
    setTimeout(search.getTimeout());
    if (getIndexReader() instanceof SharedReader shared) {
      shared.begin(window, cancellation);
    }
  }

  void end() {
    if (getIndexReader() instanceof SharedReader shared) {
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
