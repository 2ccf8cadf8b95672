package io.quickscorer.plugin.feature.set;

import io.quickscorer.plugin.feature.set.FeatureDefinition.OfDistance;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfExpression;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfField;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfFirstPassScore;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfParam;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfQuery;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfScript;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfTermStatistics;
import io.quickscorer.plugin.feature.set.FeatureDefinition.OfVector;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.DistanceUnit;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.script.Script;

/** Reads one feature's fields, each kind its own; what is left over is the caller's to refuse. */
final class FeatureParser {
  private static final String KINDS =
      String.join(
          ", ",
          OfQuery.TYPE,
          OfField.TYPE,
          OfParam.TYPE,
          OfFirstPassScore.TYPE,
          OfTermStatistics.TYPE,
          OfExpression.TYPE,
          OfScript.TYPE,
          OfVector.TYPE);

  private FeatureParser() {}

  static FeatureDefinition parse(String name, Options options) throws IOException {
    // Without a type, what has a query is a query: so sets written for the LTR plugin are read.
    boolean untyped = !options.has("type") && (options.has("query") || options.has("template"));
    String type = untyped ? OfQuery.TYPE : String.valueOf(options.take("type"));
    Modifiers modifiers = Modifiers.parse(options);
    return switch (type) {
      case OfQuery.TYPE -> query(name, modifiers, options);
      case OfField.TYPE -> field(name, modifiers, options);
      case OfParam.TYPE ->
          new OfParam(name, modifiers, options.string("param"), absent(options.take("default")));
      case OfFirstPassScore.TYPE -> new OfFirstPassScore(name, modifiers);
      case OfTermStatistics.TYPE -> termStatistics(name, modifiers, options);
      case OfExpression.TYPE ->
          new OfExpression(
              name, modifiers, FeatureExpression.compile(options.string("expression")));
      case OfScript.TYPE -> new OfScript(name, modifiers, script(options.take("script")));
      case OfVector.TYPE ->
          new OfVector(
              name,
              modifiers,
              options.string("field"),
              options.string("param"),
              options.choice("similarity", VectorSimilarity.class, null));
      default -> throw new IllegalArgumentException("[type] must be one of " + KINDS);
    };
  }

  private static OfQuery query(String name, Modifiers modifiers, Options options)
      throws IOException {
    Object template = options.take(options.has("query") ? "query" : "template");
    Object language = options.take("template_language");
    if (language != null && !language.equals("mustache")) {
      throw new IllegalArgumentException("[template_language] must be mustache");
    }
    options.take("params");
    return new OfQuery(name, modifiers, template(template));
  }

  private static QueryTemplate template(@Nullable Object template) throws IOException {
    return switch (template) {
      case String text -> new QueryTemplate(text);
      case Map<?, ?> object -> new QueryTemplate(json(Options.object("query", object)));
      case null, default ->
          throw new IllegalArgumentException("[query] must be an object or a string");
    };
  }

  private static String json(Map<String, Object> object) throws IOException {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      return json.map(object).toString();
    }
  }

  private static FeatureDefinition field(String name, Modifiers modifiers, Options options) {
    String field = options.string("field");
    if (options.has("distance_from")) {
      return new OfDistance(
          name,
          modifiers,
          field,
          options.string("distance_from"),
          unit(options),
          mode(modifiers, options));
    }
    FieldReading reading;
    if (options.has("categories")) {
      reading =
          new FieldReading.Categories(options.strings("categories", FieldReading.MAX_CATEGORIES));
    } else if (options.has("hash")) {
      reading = new FieldReading.Hash(options.count("hash", FieldReading.MAX_MODULUS));
    } else {
      reading = new FieldReading.Numbers(mode(modifiers, options));
    }
    return new OfField(name, modifiers, field, reading);
  }

  private static Aggregate mode(Modifiers modifiers, Options options) {
    Aggregate mode = options.choice("mode", Aggregate.class, Aggregate.MIN);
    if (mode == Aggregate.COUNT && !Float.isNaN(modifiers.missing())) {
      throw new IllegalArgumentException("[missing]: a count is never missing");
    }
    return mode;
  }

  private static DistanceUnit unit(Options options) {
    if (!options.has("unit")) {
      return DistanceUnit.METERS;
    }
    String unit = options.string("unit");
    try {
      return DistanceUnit.fromString(unit);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("[unit] must be a unit of length such as m, km or mi", e);
    }
  }

  private static OfTermStatistics termStatistics(String name, Modifiers modifiers, Options options)
      throws IOException {
    String field = options.string("field");
    String text = options.string("text");
    if (field.contains("{{")) {
      throw new IllegalArgumentException("[field] can't be a template");
    }
    // The server's own query for a text knows best how the field is analysed.
    String match = json(Map.of("match", Map.of(field, Map.of("query", text))));
    return new OfTermStatistics(
        name,
        modifiers,
        field,
        text,
        options.choice("statistic", TermStatistic.class, null),
        options.choice("aggregate", Aggregate.class, null),
        new QueryTemplate(match));
  }

  private static Script script(@Nullable Object script) {
    if (script == null) {
      throw new IllegalArgumentException("[script] must be a string or an object");
    }
    try {
      return Script.parse(script);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("[script]: " + e.getMessage(), e);
    }
  }

  private static @Nullable Float absent(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    float number =
        switch (value) {
          case Number n -> n.floatValue();
          case Boolean bool -> bool ? 1 : 0;
          default -> Float.NaN;
        };
    if (!Float.isFinite(number)) {
      throw new IllegalArgumentException("[default] must be a finite number");
    }
    return number;
  }
}
