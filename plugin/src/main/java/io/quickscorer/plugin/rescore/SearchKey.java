// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Computes the key of a search, which is equal for all pages of the search and usually differs
 * between searches.
 */
final class SearchKey {
  private SearchKey() {}

  /**
   * Returns the {@code preference}, which a client sends with the request for each page, or, if
   * there is none, the query's text.
   */
  public static String of(@Nullable String preference, @Nullable SearchSourceBuilder source) {
    return of(preference, source == null ? null : source.query());
  }

  static String of(@Nullable String preference, @Nullable QueryBuilder query) {
    return preference != null ? preference : String.valueOf(query);
  }
}
