// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.feature.template.QueryTemplate;
import io.quickscorer.plugin.feature.template.RequestParams;
import io.quickscorer.plugin.feature.template.ScriptUse;
import io.quickscorer.plugin.feature.template.TemplateOutput;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;

/** One request's parameters, and what a set's features have made of them. For one thread. */
final class RequestBinding {
  private final Map<String, Object> params;
  private final Map<String, Integer> places;
  private final NamedXContentRegistry registry;
  private final RequestBudget budget;

  /** Where the query of a rendered text is in {@link #queries}. */
  private final Map<String, Integer> rendered = new HashMap<>();

  private final List<QueryBuilder> queries = new ArrayList<>();

  /** Bytes of the parameters; negative until they are computed. */
  private long paramBytes = -1;

  /** Arrays of numbers among the parameters, shared by the features that read them. */
  private final Map<String, float[]> vectors = new HashMap<>();

  /**
   * @param params the request's parameters, including the set's defaults
   * @param places the place of each feature in the set
   * @param registry parses queries
   * @param budget is charged for rendered parameters before they are allocated
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

  /** Returns a feature's place in the set, or -1 if the set lacks it. */
  public int place(String feature) {
    return places.getOrDefault(feature, -1);
  }

  /** Returns the place of a template's query; templates that render to the same text share one. */
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
   * Checks that scripts are allowed; called by features that run a script.
   *
   * @throws IllegalArgumentException (400) where none may
   */
  public void checkScripts() {
    ScriptUse.check(budget.limits());
  }

  /** Returns the distinct queries so far. */
  public List<QueryBuilder> queries() {
    return queries;
  }

  /**
   * Returns a parameter that is a vector. Each feature's copy is sent to the shards.
   *
   * @throws IllegalArgumentException if it is absent or something else
   */
  public float[] vector(String param) {
    if (params.get(param) instanceof List<?> list) {
      budget.render((long) list.size() * Float.BYTES);
    }
    return vectors.computeIfAbsent(param, name -> RequestParams.vector(params, name));
  }

  /**
   * Returns the parameters for a feature that is sent with all of them, and charges the budget for
   * them.
   */
  public Map<String, Object> sentParams() {
    if (paramBytes < 0) {
      paramBytes = TemplateOutput.leastLength(params);
    }
    budget.render(paramBytes);
    return params;
  }
}
