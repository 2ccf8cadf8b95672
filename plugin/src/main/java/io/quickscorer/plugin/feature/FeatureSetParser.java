package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;

/** Reads feature sets strictly: what it does not know, it refuses. */
final class FeatureSetParser {
  private final String set;

  private FeatureSetParser(String set) {
    this.set = set;
  }

  static FeatureSet parse(String name, XContentParser parser) throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    if (parser.currentToken() != XContentParser.Token.START_OBJECT) {
      throw new ParsingException(
          parser.getTokenLocation(), "feature set [" + name + "]: expected an object");
    }
    return new FeatureSetParser(name).set(parser.mapOrdered());
  }

  private FeatureSet set(Map<String, Object> body) throws IOException {
    if (body.get("featureset") instanceof Map<?, ?> wrapped && body.size() == 1) {
      body = object("featureset", wrapped);
    }
    Map<String, Object> rest = new LinkedHashMap<>(body);
    Object written = rest.remove("name");
    if (written != null && !written.equals(set)) {
      throw wrong("its text names it [" + written + "]");
    }
    if (!(rest.remove("features") instanceof List<?> list)) {
      throw wrong("expected an array [features]");
    }
    Map<String, Object> defaults = Map.of();
    if (rest.containsKey("default_params")) {
      defaults = object("default_params", rest.remove("default_params"));
    }
    if (!rest.isEmpty()) {
      throw wrong("unknown field " + rest.keySet());
    }
    List<FeatureDefinition> features = new ArrayList<>();
    for (Object feature : list) {
      features.add(feature(features.size(), feature));
    }
    return new FeatureSet(set, features, defaults);
  }

  private FeatureDefinition feature(int number, Object value) throws IOException {
    Map<String, Object> rest = new LinkedHashMap<>(object("features", value));
    if (!(rest.remove("name") instanceof String name)
        || name.isEmpty()
        || name.length() > FeatureDefinition.MAX_NAME_LENGTH) {
      throw wrong(
          "feature number "
              + number
              + ": expected a [name] of 1 to "
              + FeatureDefinition.MAX_NAME_LENGTH
              + " characters");
    }
    try {
      FeatureDefinition feature = feature(name, rest);
      if (!rest.isEmpty()) {
        throw new IllegalArgumentException("unknown field " + rest.keySet());
      }
      return feature;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "feature set [" + set + "]: feature [" + name + "]: " + e.getMessage(), e);
    }
  }

  private static FeatureDefinition feature(String name, Map<String, Object> rest)
      throws IOException {
    Object template = rest.containsKey("query") ? rest.remove("query") : rest.remove("template");
    // Without a type, what has a query is a query: so sets written for the LTR plugin are read.
    String type =
        rest.containsKey("type") || template == null
            ? String.valueOf(rest.remove("type"))
            : "query";
    float missing = missing(rest.remove("missing"));
    return switch (type) {
      case FeatureDefinition.OfQuery.TYPE -> {
        Object language = rest.remove("template_language");
        if (language != null && !language.equals("mustache")) {
          throw new IllegalArgumentException("[template_language] must be mustache");
        }
        rest.remove("params");
        yield new FeatureDefinition.OfQuery(name, missing, template(template));
      }
      case FeatureDefinition.OfField.TYPE ->
          new FeatureDefinition.OfField(name, missing, string("field", rest.remove("field")));
      case FeatureDefinition.OfParam.TYPE -> {
        Object absent = rest.remove("default");
        yield new FeatureDefinition.OfParam(
            name,
            missing,
            string("param", rest.remove("param")),
            absent == null ? null : number("default", absent));
      }
      case FeatureDefinition.OfFirstPassScore.TYPE ->
          new FeatureDefinition.OfFirstPassScore(name, missing);
      default ->
          throw new IllegalArgumentException(
              "[type] must be one of query, field, param, first_pass_score");
    };
  }

  private static QueryTemplate template(@Nullable Object template) throws IOException {
    return switch (template) {
      case String text -> new QueryTemplate(text);
      case Map<?, ?> object -> {
        try (XContentBuilder json = XContentFactory.jsonBuilder()) {
          yield new QueryTemplate(json.map(object("query", object)).toString());
        }
      }
      case null, default ->
          throw new IllegalArgumentException("[query] must be an object or a string");
    };
  }

  private static float missing(@Nullable Object value) {
    return value == null || "nan".equals(value) ? Float.NaN : number("missing", value);
  }

  private static float number(String key, Object value) {
    float number =
        switch (value) {
          case Number n -> n.floatValue();
          case Boolean b when key.equals("default") -> b ? 1 : 0;
          default -> Float.NaN;
        };
    if (!Float.isFinite(number)) {
      throw new IllegalArgumentException("[" + key + "] must be a finite number");
    }
    return number;
  }

  private static String string(String key, @Nullable Object value) {
    if (!(value instanceof String string) || string.isEmpty()) {
      throw new IllegalArgumentException("[" + key + "] must be a string, not empty");
    }
    return string;
  }

  private static Map<String, Object> object(String key, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("[" + key + "] must hold an object");
    }
    Map<String, Object> object = new LinkedHashMap<>();
    map.forEach((k, v) -> object.put(String.valueOf(k), v));
    return object;
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("feature set [" + set + "]: " + what);
  }
}
