// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.common.geo.GeoUtils;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;

/**
 * Inserts the parameters of one request into its features, and collects the resulting queries and
 * vectors. Used by one thread.
 */
final class RequestBinding {
  private final Map<String, Object> params;
  private final Map<String, Integer> places;
  private final NamedXContentRegistry registry;
  private final RequestBudget budget;

  /** The index of each distinct query in {@link #queries}, by the query's text. */
  private final Map<String, Integer> rendered = new HashMap<>();

  private final List<QueryBuilder> queries = new ArrayList<>();

  /** The size of the parameters in bytes; -1 until it is computed. */
  private long paramBytes = -1;

  /** The parameters that are arrays of numbers, by name. Several features can share an array. */
  private final Map<String, float[]> vectors = new HashMap<>();

  /**
   * Creates an object without queries and vectors.
   *
   * @param params the request's parameters, including the set's defaults
   * @param places the index of each feature in its set, by the feature's name
   * @param registry parses queries
   * @param budget charges the bytes of inserted parameters before they are allocated
   */
  public RequestBinding(
      Map<String, Object> params,
      Map<String, Integer> places,
      NamedXContentRegistry registry,
      RequestBudget budget) {
    this.params = Collections.unmodifiableMap(params);
    this.places = places;
    this.registry = registry;
    this.budget = budget;
  }

  public Map<String, Object> params() {
    return params;
  }

  /** Returns a feature's index in the set, or -1 if the set lacks the feature. */
  public int place(String feature) {
    return places.getOrDefault(feature, -1);
  }

  /**
   * Inserts the parameters into a query's template, and returns the query's index in {@link
   * #queries}. Templates that become equal texts share one query.
   */
  public int query(QueryTemplate template) throws IOException {
    String json = template.render(params, budget);
    Integer known = rendered.get(json);
    if (known == null) {
      known = queries.size();
      queries.add(template.query(json, registry, budget));
      rendered.put(json, known);
    }
    return known;
  }

  /**
   * Checks that the node allows scripts, for features that run one.
   *
   * @throws IllegalArgumentException (400) if the node does not allow scripts
   */
  public void checkScripts() {
    ScriptUse.check(budget.limits());
  }

  /** Returns the distinct queries of the features that were processed so far. */
  public List<QueryBuilder> queries() {
    return queries;
  }

  /**
   * Returns a parameter that is an array of numbers. Each call charges the array's bytes, because
   * the message to the shards contains one copy per feature.
   *
   * @throws IllegalArgumentException if the parameter is absent or not an array of numbers
   */
  public float[] vector(String param) {
    if (params.get(param) instanceof List<?> list) {
      budget.render((long) list.size() * Float.BYTES);
    }
    return vectors.computeIfAbsent(param, name -> array(params, name));
  }

  /**
   * Returns all parameters, for a feature that sends them to the shards, and charges their bytes.
   */
  public Map<String, Object> sentParams() {
    if (paramBytes < 0) {
      paramBytes = TemplateOutput.minLength(params);
    }
    budget.render(paramBytes);
    return params;
  }

  /**
   * Returns a parameter as a number: 1 for true, 0 for false, NaN for null.
   *
   * @throws IllegalArgumentException if the parameter is absent or has a different type
   */
  static double number(Map<String, Object> params, String name) {
    return switch (required(params, name)) {
      case null -> Double.NaN;
      case Number number -> number.doubleValue();
      case Boolean bool -> bool ? 1 : 0;
      default ->
          throw new IllegalArgumentException(
              "parameter [" + name + "] must be a number or a boolean");
    };
  }

  /**
   * Returns a parameter as a geographic point, in any form that geo queries accept.
   *
   * @throws IllegalArgumentException if the parameter is absent or not a point
   */
  GeoPoint point(String name) {
    Object value = required(params, name);
    RuntimeException cause = null;
    try {
      if (value != null) {
        GeoPoint point = GeoUtils.parseGeoPoint(value, true);
        if (GeoUtils.isValidLatitude(point.lat()) && GeoUtils.isValidLongitude(point.lon())) {
          return point;
        }
      }
    } catch (RuntimeException e) {
      cause = e;
    }
    throw new IllegalArgumentException("parameter [" + name + "] must be a geo point", cause);
  }

  /**
   * Returns a parameter as an array of at least one finite number.
   *
   * @throws IllegalArgumentException if the parameter is absent or is not such an array
   */
  private static float[] array(Map<String, Object> params, String name) {
    if (required(params, name) instanceof List<?> list && !list.isEmpty()) {
      float[] vector = new float[list.size()];
      boolean finite = true;
      for (int i = 0; i < vector.length; i++) {
        vector[i] = list.get(i) instanceof Number number ? number.floatValue() : Float.NaN;
        finite &= Float.isFinite(vector[i]);
      }
      if (finite) {
        return vector;
      }
    }
    throw new IllegalArgumentException(
        "parameter [" + name + "] must be an array of finite numbers");
  }

  @SuppressWarnings(
      "NullAway") // a parameter may be null in JSON, which a map's type cannot express
  private static Object required(Map<String, Object> params, String name) {
    if (!params.containsKey(name)) {
      throw new IllegalArgumentException("parameter [" + name + "] has no value");
    }
    return params.get(name);
  }
}
