// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.List;
import java.util.stream.Stream;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.cluster.routing.Murmur3HashFunction;
import org.opensearch.common.regex.Regex;

/**
 * Which searches a processor is for.
 *
 * @param indices patterns of names; all are for it if there are none
 * @param share of the searches, above 0, at most 1. By the hash of the {@code preference}, which a
 *     client sends with each page, or of the query where there is none: all pages of a search are
 *     ranked, or none
 */
record Traffic(List<String> indices, double share) {
  private static final double HASHES = 1L << Integer.SIZE;

  Traffic {
    indices = List.copyOf(indices);
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("[share] must be above 0 and at most 1, not " + share);
    }
  }

  /**
   * @param concrete names of the indices that are searched
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
