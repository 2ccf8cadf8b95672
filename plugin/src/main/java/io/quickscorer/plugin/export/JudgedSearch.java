// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.feature.QueryTemplate;
import io.quickscorer.plugin.feature.QueryText;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.LoggedHits;
import io.quickscorer.plugin.rescore.clause.Scope;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Creates searches whose hits contain the feature values of a feature set, for training files.
 *
 * @param featureSet the name of the feature set
 * @param scope whether the features are computed for the best hits of each shard or of all shards
 * @param logging creates the clause that adds feature values to hits
 */
record JudgedSearch(
    String featureSet,
    Scope scope,
    LoggedHits logging,
    NamedXContentRegistry registry,
    RequestBudget budget) {
  /**
   * Returns a search for the best hits of a query, with their feature values.
   *
   * @param query the query; null to match all documents
   * @param params the parameters of the query's template and of the features
   * @param size the number of hits
   */
  SearchRequest best(
      String index, @Nullable QueryTemplate query, Map<String, Object> params, int size) {
    return request(index, first(query, params), params, size);
  }

  /**
   * Returns a search for judged documents by their ids. A document that does not match the query is
   * also found, with the score 0. The response has the exact number of hits. If several indices
   * contain a document with the same id, this number may be larger than the number of ids.
   */
  SearchRequest documents(String index, LogRequest.JudgedQuery judged) {
    BoolQueryBuilder query =
        QueryBuilders.boolQuery()
            .filter(QueryBuilders.idsQuery().addIds(judged.ids().toArray(String[]::new)));
    if (judged.query() != null) {
      query.should(first(judged.query(), judged.params()));
    }
    SearchRequest search = request(index, query, judged.params(), judged.ids().size());
    search.source().trackTotalHits(true);
    return search;
  }

  private SearchRequest request(
      String index, QueryBuilder query, Map<String, Object> params, int size) {
    return new SearchRequest(Strings.splitStringByCommaToArray(index))
        .allowPartialSearchResults(false)
        .source(
            new SearchSourceBuilder()
                .query(query)
                .size(size)
                .fetchSource(false)
                .addRescorer(logging.clause(featureSet, params, scope, size)));
  }

  private QueryBuilder first(@Nullable QueryTemplate template, Map<String, Object> params) {
    if (template == null) {
      return QueryBuilders.matchAllQuery();
    }
    try {
      return QueryText.parse(template, params, registry, budget);
    } catch (CircuitBreakingException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException("query: " + e.getMessage(), e);
    }
  }
}
