// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.template;

import org.apache.lucene.search.BooleanClause;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilderVisitor;
import org.opensearch.index.query.functionscore.FunctionScoreQueryBuilder;

/**
 * Checks whether all parts of a query belong to the server itself. Such a query never changes, so
 * all threads can share it. A plugin's query may change: the k-NN plugin's query returned its own
 * vector, and a search then changed this vector.
 */
final class ServerQueries implements QueryBuilderVisitor {
  private static final String PACKAGE = QueryBuilder.class.getPackageName();

  private boolean all = true;

  private ServerQueries() {}

  static boolean only(QueryBuilder query) {
    ServerQueries visitor = new ServerQueries();
    query.visit(visitor);
    return visitor.all;
  }

  private static boolean isServers(Object part) {
    String name = part.getClass().getPackageName();
    return name.equals(PACKAGE) || name.equals(FunctionScoreQueryBuilder.class.getPackageName());
  }

  @Override
  public void accept(QueryBuilder query) {
    all &= isServers(query);
    if (query instanceof FunctionScoreQueryBuilder functions) {
      for (var function : functions.filterFunctionBuilders()) {
        all &= isServers(function.getScoreFunction());
        function.getFilter().visit(this);
      }
    }
  }

  @Override
  public QueryBuilderVisitor getChildVisitor(BooleanClause.Occur occur) {
    return this;
  }
}
