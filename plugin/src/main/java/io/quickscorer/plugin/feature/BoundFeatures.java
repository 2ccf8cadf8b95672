// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.query.Rewriteable;

/**
 * The features of a set for one request, with the request's parameters inserted. The coordinating
 * node sends this object to the shards. Immutable.
 *
 * @param features the bound features, one per feature of the set, in the set's order
 * @param queries the distinct queries of the features
 * @param relative the features whose values are scaled relative to the values of the other hits,
 *     after the values of all hits are computed
 */
public record BoundFeatures(
    List<BoundFeature> features, List<QueryBuilder> queries, List<Relative> relative)
    implements WireRecord {
  /**
   * A feature whose values are scaled relative to its values for the other hits that the model
   * ranks. For example, each value is replaced by its rank.
   *
   * @param place the feature's index in the set
   * @param scale the function that scales the values
   * @param missing the number that replaces a missing value; it is not scaled
   */
  public record Relative(int place, WindowScale scale, float missing) implements WireRecord {
    /**
     * Scales the feature's values of {@code count} hits, in place.
     *
     * @param values the array with the feature's values
     * @param from the array index of the first hit's value
     */
    public void apply(float[] values, int from, int count) {
      scale.apply(values, from, count, missing);
    }
  }

  public BoundFeatures {
    features = List.copyOf(features);
    queries = List.copyOf(queries);
    relative = List.copyOf(relative);
  }

  /**
   * Inserts a request's parameters into a feature set, and parses the resulting queries. A feature
   * that is not needed is replaced by {@link BoundFeature.Unused}, unless another feature reads it.
   * Features whose queries become the same text share one query.
   *
   * @param needed returns, for a feature's name, whether the request needs the feature
   * @param params the request's parameters; they take precedence over the set's defaults
   * @param budget charges the bytes of the inserted parameters before they are allocated
   * @throws IllegalArgumentException naming the feature whose parameter or query is wrong
   */
  public static BoundFeatures bind(
      FeatureSet set,
      Predicate<String> needed,
      Map<String, Object> params,
      NamedXContentRegistry registry,
      RequestBudget budget) {
    Map<String, Object> all = new HashMap<>(set.defaultParams());
    all.putAll(params);
    Map<String, Integer> places = new HashMap<>();
    set.features().forEach(feature -> places.put(feature.name(), places.size()));
    RequestBinding request = new RequestBinding(all, places, registry, budget);
    Set<String> bound = withInputs(set, needed, request);
    List<BoundFeature> features = new ArrayList<>();
    List<Relative> relative = new ArrayList<>();
    for (FeatureDefinition feature : set.features()) {
      if (!bound.contains(feature.name())) {
        features.add(new BoundFeature.Unused(feature.name()));
        continue;
      }
      WindowScale scale = feature.modifiers().window();
      if (scale != null) {
        relative.add(new Relative(features.size(), scale, feature.modifiers().missing()));
      }
      try {
        features.add(feature.bind(request));
      } catch (CircuitBreakingException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new IllegalArgumentException(
            "feature [" + feature.name() + "]: " + e.getMessage(), e);
      }
    }
    return new BoundFeatures(features, request.queries(), relative);
  }

  private static Set<String> withInputs(
      FeatureSet set, Predicate<String> needed, RequestBinding request) {
    Set<String> all = new HashSet<>();
    Deque<FeatureDefinition> open = new ArrayDeque<>();
    for (FeatureDefinition feature : set.features()) {
      if (needed.test(feature.name())) {
        open.add(feature);
      }
    }
    while (!open.isEmpty()) {
      StepLimit.step();
      FeatureDefinition feature = open.pop();
      if (all.add(feature.name())) {
        feature.inputs().forEach(input -> open.push(set.features().get(request.place(input))));
      }
    }
    return all;
  }

  /**
   * Returns these features with queries that the server has rewritten. Returns this object if no
   * query changes.
   *
   * @throws IllegalArgumentException naming the feature whose query can't be rewritten
   */
  @SuppressWarnings("ReferenceEquality") // a rewrite that changes nothing returns its argument
  public BoundFeatures rewrite(QueryRewriteContext context) throws IOException {
    List<QueryBuilder> rewritten = new ArrayList<>();
    boolean changed = false;
    for (int q = 0; q < queries.size(); q++) {
      StepLimit.step();
      QueryBuilder query = queries.get(q);
      try {
        QueryBuilder now = Guard.call(() -> "the query", () -> Rewriteable.rewrite(query, context));
        changed |= now != query;
        rewritten.add(now);
      } catch (IllegalArgumentException | CaughtError e) {
        throw new IllegalArgumentException("feature [" + nameOf(q) + "]: " + e.getMessage(), e);
      }
    }
    return changed ? new BoundFeatures(features, rewritten, relative) : this;
  }

  /** Returns the name of the first feature that uses the query with this index, for messages. */
  public String nameOf(int query) {
    for (BoundFeature feature : features) {
      if (feature.query() == query) {
        return feature.name();
      }
    }
    return "query " + query;
  }
}
