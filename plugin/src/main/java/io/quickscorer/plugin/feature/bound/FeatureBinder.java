package io.quickscorer.plugin.feature.bound;

import io.quickscorer.plugin.feature.set.FeatureDefinition;
import io.quickscorer.plugin.feature.set.FeatureExpression;
import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.feature.set.Modifiers;
import io.quickscorer.plugin.feature.set.QueryTemplate;
import io.quickscorer.plugin.feature.set.QueryText;
import io.quickscorer.plugin.feature.set.RequestParams;
import io.quickscorer.plugin.feature.set.TemplateOutput;
import io.quickscorer.plugin.feature.window.InputColumn;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.lucene.search.DoubleValues;
import org.opensearch.common.geo.GeoPoint;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.script.Script;

/** Puts one request's parameters into a feature set. Used once. */
final class FeatureBinder {
  private final FeatureSet set;
  private final Map<String, Object> params;
  private final NamedXContentRegistry registry;
  private final Map<String, Integer> places = new HashMap<>();

  /** Where the query of a rendered text is in {@link #queries}. */
  private final Map<String, Integer> rendered = new LinkedHashMap<>();

  private final List<QueryBuilder> queries = new ArrayList<>();

  private final RequestBudget budget;

  /** Negative as long as it is not known. */
  private long paramBytes = -1;

  /** Arrays of numbers among the parameters, shared by the features that read them. */
  private final Map<String, float[]> vectors = new HashMap<>();

  FeatureBinder(
      FeatureSet set,
      Map<String, Object> params,
      NamedXContentRegistry registry,
      RequestBudget budget) {
    this.set = set;
    this.budget = budget;
    this.params = new HashMap<>(set.defaultParams());
    this.params.putAll(params);
    this.registry = registry;
    set.features().forEach(feature -> places.put(feature.name(), places.size()));
  }

  BoundFeatures bind(Predicate<String> needed) {
    Set<String> all = withInputs(needed);
    List<BoundFeature> features = new ArrayList<>();
    for (FeatureDefinition feature : set.features()) {
      if (!all.contains(feature.name())) {
        features.add(new BoundFeature.Unused(feature.name()));
        continue;
      }
      try {
        features.add(bind(feature));
      } catch (CircuitBreakingException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new IllegalArgumentException(
            "feature [" + feature.name() + "]: " + e.getMessage(), e);
      }
    }
    return new BoundFeatures(features, queries);
  }

  private Set<String> withInputs(Predicate<String> needed) {
    Set<String> all = new HashSet<>();
    Deque<FeatureDefinition> open = new ArrayDeque<>();
    for (FeatureDefinition feature : set.features()) {
      if (needed.test(feature.name())) {
        open.add(feature);
      }
    }
    while (!open.isEmpty()) {
      FeatureDefinition feature = open.pop();
      if (all.add(feature.name())) {
        feature.inputs().forEach(input -> open.push(set.features().get(place(input))));
      }
    }
    return all;
  }

  private int place(String feature) {
    return places.getOrDefault(feature, -1);
  }

  private BoundFeature bind(FeatureDefinition feature) throws IOException {
    String name = feature.name();
    Modifiers modifiers = feature.modifiers();
    return switch (feature) {
      case FeatureDefinition.OfFirstPassScore ignored ->
          new BoundFeature.FirstPassScore(name, modifiers);
      case FeatureDefinition.OfField field ->
          new BoundFeature.FieldValue(name, modifiers, field.field(), field.reading());
      case FeatureDefinition.OfDistance distance -> {
        GeoPoint origin = RequestParams.point(params, distance.param());
        yield new BoundFeature.Distance(
            name,
            modifiers,
            distance.field(),
            origin.lat(),
            origin.lon(),
            distance.unit(),
            distance.aggregate());
      }
      case FeatureDefinition.OfParam param -> new BoundFeature.Constant(name, param.value(params));
      case FeatureDefinition.OfQuery query ->
          new BoundFeature.QueryScore(name, modifiers, query(query.template()));
      case FeatureDefinition.OfTermStatistics terms ->
          new BoundFeature.TermStatistics(
              name,
              modifiers,
              terms.field(),
              query(terms.match()),
              terms.statistic(),
              terms.aggregate());
      case FeatureDefinition.OfExpression expression -> computed(expression);
      case FeatureDefinition.OfScript script ->
          new BoundFeature.Scripted(name, modifiers, withParams(script.script()));
      case FeatureDefinition.OfVector vector ->
          new BoundFeature.Vector(
              name, modifiers, vector.field(), vector(vector.param()), vector.similarity());
    };
  }

  /** Each feature's copy is sent to the shards. */
  private float[] vector(String param) {
    if (params.get(param) instanceof List<?> list) {
      budget.render((long) list.size() * Float.BYTES);
    }
    return vectors.computeIfAbsent(param, name -> RequestParams.vector(params, name));
  }

  /**
   * The source stays as it is, so that a node compiles it once for all requests. What the set's
   * author wrote into the script is no request's to change.
   */
  private Script withParams(Script script) {
    budget.render(paramBytes());
    Map<String, Object> all = new HashMap<>(params);
    all.putAll(script.getParams());
    return new Script(
        script.getType(), script.getLang(), script.getIdOrCode(), script.getOptions(), all);
  }

  /** About what the parameters take when they are sent; a script has them all. */
  private long paramBytes() {
    if (paramBytes < 0) {
      paramBytes = TemplateOutput.leastLength(params);
    }
    return paramBytes;
  }

  /** An expression over nothing but the request is evaluated here, once. */
  private BoundFeature computed(FeatureDefinition.OfExpression feature) throws IOException {
    List<BoundFeature.Input> inputs = new ArrayList<>();
    boolean constant = true;
    for (FeatureExpression.Variable variable : feature.expression().variables()) {
      BoundFeature.Input input =
          switch (variable) {
            case FeatureExpression.Variable.OfParam param ->
                new BoundFeature.Input.Number(RequestParams.number(params, param.name()));
            case FeatureExpression.Variable.OfField field ->
                new BoundFeature.Input.Field(field.name());
            case FeatureExpression.Variable.OfFeature input1 ->
                new BoundFeature.Input.Feature(place(input1.name()));
          };
      inputs.add(input);
      constant &= input instanceof BoundFeature.Input.Number;
    }
    if (!constant) {
      return new BoundFeature.Computed(
          feature.name(), feature.modifiers(), feature.expression().source(), inputs);
    }
    DoubleValues[] numbers = new DoubleValues[inputs.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = new InputColumn(((BoundFeature.Input.Number) inputs.get(i)).value());
    }
    double value = feature.expression().compiled().evaluate(numbers);
    return new BoundFeature.Constant(feature.name(), feature.modifiers().apply(value));
  }

  /** The place of a template's query; templates that render to the same text share one. */
  private int query(QueryTemplate template) throws IOException {
    String json = template.render(params, budget);
    Integer known = rendered.get(json);
    if (known == null) {
      known = queries.size();
      queries.add(QueryText.parse(json, registry, budget));
      rendered.put(json, known);
    }
    return known;
  }
}
