// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.score.SharedTermsReader;
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

  FeatureSearcher(IndexSearcher search, Window window, Cancellation cancellation)
      throws IOException {
    super(reader(search.getIndexReader(), window, cancellation));
    this.search = search;
    setSimilarity(search.getSimilarity());
    setQueryCache(search.getQueryCache());
    setQueryCachingPolicy(search.getQueryCachingPolicy());
    setTimeout(search.getTimeout());
  }

  private static IndexReader reader(IndexReader reader, Window window, Cancellation cancellation)
      throws IOException {
    return reader instanceof DirectoryReader directory
        ? SharedTermsReader.wrap(directory, window, cancellation)
        : reader;
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
