// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;

/**
 * A feature set after it is bound to one request's parameters, as the coordinating node sends it to
 * the shards. Immutable.
 *
 * @param features the bound features, one per feature of the set, in the set's order
 * @param queries the distinct queries of the features
 * @param relative the features whose values are scaled relative to the window's values after all
 *     features are computed
 */
public record BoundFeatures(
    List<BoundFeature> features, List<QueryBuilder> queries, List<Relative> relative)
    implements WireRecord {
  /**
   * A feature whose values are scaled relative to the window.
   *
   * @param place the feature's index in the set
   * @param scale the function that scales the values
   * @param missing replaces a missing value when the other values are scaled
   */
  public record Relative(int place, WindowScale scale, float missing) implements WireRecord {}

  public BoundFeatures {
    features = List.copyOf(features);
    queries = List.copyOf(queries);
    relative = List.copyOf(relative);
  }

  /**
   * Returns a feature set bound to a request: renders and parses the queries of the features that
   * are needed, including their inputs. Features that render to the same text share one query.
   *
   * @param needed decides by name which features to bind
   * @param params the request's parameters; they take precedence over the set's defaults
   * @param budget the memory budget, which is charged for the rendered parameters before their
   *     allocation
   * @throws IllegalArgumentException naming the feature whose parameter or query is wrong
   */
  public static BoundFeatures bind(
      FeatureSet set,
      Predicate<String> needed,
      Map<String, Object> params,
      NamedXContentRegistry registry,
      RequestBudget budget) {
    return new FeatureBinder(set, params, registry, budget).bind(needed);
  }

  /**
   * Returns these features with their queries rewritten, or this object if no query changes.
   *
   * @throws IllegalArgumentException naming the feature whose query can't be rewritten
   */
  public BoundFeatures rewrite(QueryRewriteContext context) throws IOException {
    List<QueryBuilder> rewritten = new ArrayList<>();
    boolean changed = false;
    for (int q = 0; q < queries.size(); q++) {
      Work.step();
      QueryBuilder query = queries.get(q);
      try {
        QueryBuilder now = Guard.call(() -> "the query", () -> Rewriteable.rewrite(query, context));
        changed |= !sameObject(now, query);
        rewritten.add(now);
      } catch (IllegalArgumentException | CaughtError e) {
        throw new IllegalArgumentException("feature [" + nameOf(q) + "]: " + e.getMessage(), e);
      }
    }
    return changed ? new BoundFeatures(features, rewritten, relative) : this;
  }

  /**
   * Returns whether two queries are the same object. The server requires that a rewrite which
   * changes nothing returns its argument.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean sameObject(QueryBuilder a, QueryBuilder b) {
    return a == b;
  }

  /**
   * Returns the name of the first feature that uses a query; used in messages.
   *
   * @param query the index of the query
   */
  public String nameOf(int query) {
    for (BoundFeature feature : features) {
      if (feature.query() == query) {
        return feature.name();
      }
    }
    return "query " + query;
  }
}
