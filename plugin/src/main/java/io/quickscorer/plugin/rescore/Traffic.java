// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.List;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.routing.Murmur3HashFunction;
import org.opensearch.common.regex.Regex;

/**
 * The searches that a processor ranks.
 *
 * @param indices patterns of names of indices; an empty list includes all indices
 * @param share the share of the searches, above 0 and at most 1. The decision depends on a hash of
 *     the {@code preference}, or of the query if there is no preference, so all pages of a search
 *     are included or none
 */
record Traffic(List<String> indices, double share) {
  private static final double HASHES = 1L << Integer.SIZE;

  Traffic {
    indices = List.copyOf(indices);
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "[share] is " + share + ", expected above 0 and at most 1");
    }
  }

  /**
   * Returns whether all searched indices match a pattern; true if there are no patterns.
   *
   * @param concrete the names of the searched indices
   */
  boolean includesIndices(Stream<String> concrete) {
    String[] patterns = indices.toArray(String[]::new);
    return indices.isEmpty() || concrete.allMatch(index -> Regex.simpleMatch(patterns, index));
  }

  boolean includesShare(SearchRequest request) {
    if (share == 1) {
      return true;
    }
    String key = SearchKey.of(request.preference(), request.source());
    return Integer.toUnsignedLong(Murmur3HashFunction.hash(key)) / HASHES < share;
  }
}
