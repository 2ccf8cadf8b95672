// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.HashMap;
import java.util.Map;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.search.profile.ProfileResult;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.profile.query.QueryProfileShardResult;

/**
 * The times that the profile of a search contains for computing features, summed over all shards.
 */
public final class RescoreProfile {
  private long documents;
  private long extractNanos;
  private final Map<String, Long> features = new HashMap<>();

  private RescoreProfile() {}

  /** Reads the times from the response to a search with {@code profile: true}. */
  public static RescoreProfile of(SearchResponse answer) {
    RescoreProfile profile = new RescoreProfile();
    for (ProfileShardResult shard : answer.getProfileResults().values()) {
      for (QueryProfileShardResult search : shard.getQueryProfileResults()) {
        search.getQueryResults().forEach(profile::add);
      }
    }
    return profile;
  }

  private void add(ProfileResult entry) {
    if (!entry.getQueryName().equals(ClauseProfile.TYPE)) {
      return;
    }
    if (entry.getDebugInfo().get(ClauseProfile.DOCUMENTS) instanceof Number count) {
      documents += count.longValue();
    }
    extractNanos += entry.getTimeBreakdown().getOrDefault("extract", 0L);
    for (ProfileResult feature : entry.getProfiledChildren()) {
      features.merge(feature.getLuceneDescription(), feature.getTime(), Long::sum);
    }
  }

  /** Returns the number of documents for which features were computed, summed over all shards. */
  public long documents() {
    return documents;
  }

  /**
   * Returns the time for computing all features together, in nanoseconds per document; 0 without
   * documents.
   */
  public long extractNanosPerDocument() {
    return perDocument(extractNanos);
  }

  /** Returns the time for computing one feature alone, in nanoseconds per document. */
  public long featureNanosPerDocument(String feature) {
    return perDocument(features.getOrDefault(feature, 0L));
  }

  private long perDocument(long nanos) {
    return documents == 0 ? 0 : Math.round((double) nanos / documents);
  }
}
