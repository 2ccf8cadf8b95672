package io.quickscorer.plugin.feature.set;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.DistanceUnit;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.script.Script;

/**
 * One feature of a {@link FeatureSet}: where its value comes from, one closed kind each. Immutable.
 * On the wire it is what it is in JSON.
 */
public sealed interface FeatureDefinition extends ToXContentObject {
  /** Longest name, in characters. */
  int MAX_NAME_LENGTH = 256;

  /** The feature's name, unique in its set. */
  String name();

  /** What becomes of the value. */
  Modifiers modifiers();

  /** The kind's name in JSON. */
  String type();

  /** Writes the kind's own fields. */
  void optionsToXContent(XContentBuilder builder) throws IOException;

  /** Names of the features that must be computed before this one. */
  default Set<String> inputs() {
    return Set.of();
  }

  @Override
  default XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field("name", name()).field("type", type());
    optionsToXContent(builder);
    modifiers().toXContent(builder, params);
    return builder.endObject();
  }

  /** The score of a query, a template over the request's parameters; no match is missing. */
  record OfQuery(String name, Modifiers modifiers, QueryTemplate template)
      implements FeatureDefinition {
    static final String TYPE = "query";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("query", template.toXContentValue());
    }
  }

  /** A field's doc value, read in one of several ways; no value is missing. */
  record OfField(String name, Modifiers modifiers, String field, FieldReading reading)
      implements FeatureDefinition {
    static final String TYPE = "field";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("field", field);
      reading.toXContent(builder);
    }
  }

  /**
   * How far a {@code geo_point} field is from a point of the request, along the sphere; no point is
   * missing.
   *
   * @param param holds the request's point in any form that geo queries read
   * @param aggregate of several points
   */
  record OfDistance(
      String name,
      Modifiers modifiers,
      String field,
      String param,
      DistanceUnit unit,
      Aggregate aggregate)
      implements FeatureDefinition {
    @Override
    public String type() {
      return OfField.TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("field", field).field("distance_from", param).field("unit", unit.toString());
      builder.field("mode", Options.name(aggregate));
    }
  }

  /**
   * A number or boolean of the request, the same for all its documents; null is missing.
   *
   * @param absent the value where neither the request nor the set's default parameters have the
   *     parameter; null makes that an error
   */
  record OfParam(String name, Modifiers modifiers, String param, @Nullable Float absent)
      implements FeatureDefinition {
    static final String TYPE = "param";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("param", param);
      if (absent != null) {
        builder.field("default", absent);
      }
    }

    /**
     * The value for a request.
     *
     * @throws IllegalArgumentException if the parameter is absent or no number
     */
    public float value(Map<String, Object> params) {
      return modifiers.apply(
          absent != null && !params.containsKey(param)
              ? absent
              : RequestParams.number(params, param));
    }
  }

  /** The score a hit has when it reaches the rescorer. */
  record OfFirstPassScore(String name, Modifiers modifiers) implements FeatureDefinition {
    static final String TYPE = "first_pass_score";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) {}
  }

  /**
   * Statistics of the terms of a text, as the field's search analyzer makes them.
   *
   * @param text a template over the request's parameters
   */
  record OfTermStatistics(
      String name,
      Modifiers modifiers,
      String field,
      String text,
      TermStatistic statistic,
      Aggregate aggregate,
      QueryTemplate match)
      implements FeatureDefinition {
    static final String TYPE = "term_statistics";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("field", field).field("text", text);
      builder.field("statistic", Options.name(statistic));
      builder.field("aggregate", Options.name(aggregate));
    }
  }

  /** A Lucene expression over other features, fields and parameters, in double precision. */
  record OfExpression(String name, Modifiers modifiers, FeatureExpression expression)
      implements FeatureDefinition {
    static final String TYPE = "expression";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public Set<String> inputs() {
      Set<String> inputs = new LinkedHashSet<>();
      List<FeatureExpression.Variable> variables = expression.variables();
      for (FeatureExpression.Variable variable : variables) {
        if (variable instanceof FeatureExpression.Variable.OfFeature feature) {
          inputs.add(feature.name());
        }
      }
      return inputs;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("expression", expression.source());
    }
  }

  /**
   * A score script's result for each document.
   *
   * @param script its own parameters hide the request's of the same names
   */
  record OfScript(String name, Modifiers modifiers, Script script) implements FeatureDefinition {
    static final String TYPE = "script";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("script", script);
    }
  }

  /**
   * How alike a vector field is to a vector of the request.
   *
   * @param param holds the request's vector, an array of numbers
   */
  record OfVector(
      String name, Modifiers modifiers, String field, String param, VectorSimilarity similarity)
      implements FeatureDefinition {
    static final String TYPE = "vector";

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public void optionsToXContent(XContentBuilder builder) throws IOException {
      builder.field("field", field).field("param", param);
      builder.field("similarity", Options.name(similarity));
    }
  }
}
