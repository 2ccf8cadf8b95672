// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.upload;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.feature.LuceneExpression;
import io.quickscorer.plugin.feature.Modifiers;
import io.quickscorer.plugin.feature.QueryFeature;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.FeatureBinding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/**
 * A feature set or a model of OpenSearch-LTR, the bundled learning-to-rank plugin. The document is
 * a response to {@code GET _ltr/_featureset/x} or {@code GET _ltr/_model/x}, the {@code _source} in
 * it, or the body of a request that creates the set or model.
 *
 * @param name the name in the document; empty if there is none
 * @param model whether the document is a model; the whole document is then the model's file
 * @param setName the name of its feature set; empty if there is none
 * @param features the features in this plugin's format; null for a model without its set
 * @param missing a query feature's value for documents that do not match its query: {@code 0}, or
 *     {@code keep} if the feature has no value then
 */
public record ForeignDocument(
    String name,
    boolean model,
    String setName,
    @Nullable List<Map<String, Object>> features,
    String missing) {
  /** Matches a name in an expression that is not a function's. */
  private static final Pattern IDENTIFIER =
      Pattern.compile("(?<![\\w$.])[A-Za-z_$][\\w$.]*+(?!\\s*+\\()");

  private static final String ZERO = "0";
  private static final String KEEP = "keep";

  /**
   * Matches the option {@code missing_as_zero} in XGBoost models of OpenSearch-LTR. With this
   * option, OpenSearch-LTR replaces missing features by 0. It always does this for models of other
   * trainers.
   */
  private static final Pattern MISSING_AS_ZERO =
      Pattern.compile("\"missing_as_zero\"\\s*+:\\s*+true");

  /** The feature types that replace query types of OpenSearch-LTR, by the query type. */
  private static final Map<String, String> COUNTERPARTS =
      Map.of("term_stat", "term_statistics", "match_explorer", "term_statistics");

  /**
   * Reads a document of OpenSearch-LTR.
   *
   * @param missing the value of a query feature for documents that do not match its query: {@code
   *     0}, or {@code keep} for a missing value. If it is null, OpenSearch-LTR's rule applies: a
   *     missing value for XGBoost models without {@code missing_as_zero}, otherwise 0
   * @throws IllegalArgumentException (400) if the document is neither a set nor a model, or a
   *     feature cannot be imported; the message names the feature
   */
  public static ForeignDocument parse(
      @Nullable MediaType type,
      BytesReference body,
      @Nullable String missing,
      MemoryCharge memory) {
    if (missing != null && !missing.equals(ZERO) && !missing.equals(KEEP)) {
      throw new IllegalArgumentException(
          "parameter [missing] is [" + FeatureBinding.shown(missing) + "], expected 0 or keep");
    }
    Map<?, ?> document = Door.body(type, body, memory, in -> in.withFiles().map());
    if (Boolean.FALSE.equals(document.get("found"))) {
      throw new IllegalArgumentException(
          "the document is the response to a request for a model or feature set that does not"
              + " exist");
    }
    Map<?, ?> source = document.get("_source") instanceof Map<?, ?> inner ? inner : document;
    if (source.get("featureset") instanceof Map<?, ?> set) {
      String kept = missing == null ? ZERO : missing;
      return new ForeignDocument(
          text(set, "name"), false, text(set, "name"), features(set, kept), kept);
    }
    if (source.get("model") instanceof Map<?, ?> model) {
      // [model] contains the definition, or a feature set and an inner [model] with the definition.
      Map<?, ?> outer = model.containsKey("definition") ? source : model;
      String name = text(outer, "name").isEmpty() ? text(source, "name") : text(outer, "name");
      if (outer.get("model") instanceof Map<?, ?> inner && inner.containsKey("definition")) {
        String kept = missing == null ? missing(inner) : missing;
        if (outer.get("feature_set") instanceof Map<?, ?> set) {
          return new ForeignDocument(name, true, text(set, "name"), features(set, kept), kept);
        }
        return new ForeignDocument(name, true, "", null, kept);
      }
    }
    throw new IllegalArgumentException(
        "expected the response to GET _ltr/_featureset/NAME or GET _ltr/_model/NAME, or the body of"
            + " POST _ltr/_featureset/NAME or POST _ltr/_featureset/NAME/_createmodel");
  }

  /** Returns {@code 0} if an imported model replaces missing features by 0, else {@code keep}. */
  private static String missing(Map<?, ?> model) {
    boolean trees = text(model, "type").startsWith("model/xgboost");
    boolean asZero =
        model.get("definition") instanceof Map<?, ?> file
            ? Boolean.TRUE.equals(file.get("missing_as_zero"))
            : MISSING_AS_ZERO.matcher(text(model, "definition")).find();
    return trees && !asZero ? KEEP : ZERO;
  }

  private static String text(Map<?, ?> map, String field) {
    return map.get(field) instanceof String text ? text : "";
  }

  private static List<Map<String, Object>> features(Map<?, ?> set, String missing) {
    if (!(set.get("features") instanceof List<?> list)) {
      throw new IllegalArgumentException("feature set: expected an array [features]");
    }
    // The number is checked first, because no breaker is charged for the features below.
    FeatureSet.checkCount(FeatureBinding.shown(text(set, "name")), list.size());
    Set<String> later = new HashSet<>();
    for (Object each : list) {
      StepLimit.step();
      later.add(each instanceof Map<?, ?> feature ? text(feature, "name") : "");
    }
    List<Map<String, Object>> features = new ArrayList<>();
    for (Object each : list) {
      StepLimit.step();
      if (!(each instanceof Map<?, ?> feature) || text(feature, "name").isEmpty()) {
        throw new IllegalArgumentException(
            "feature set: feature number "
                + features.size()
                + ": expected an object with a [name]");
      }
      try {
        features.add(feature(feature, missing, later));
        later.remove(text(feature, "name"));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "feature [" + FeatureBinding.shown(text(feature, "name")) + "]: " + e.getMessage(), e);
      }
    }
    return features;
  }

  private static Map<String, Object> feature(Map<?, ?> feature, String missing, Set<String> later) {
    String language = text(feature, "template_language");
    Object template = feature.get("template");
    Map<String, Object> ours = new LinkedHashMap<>();
    ours.put("name", text(feature, "name"));
    switch (language) {
      case "mustache", "" -> {
        ours.put("type", "query");
        ours.put("query", ofBothPlugins(template));
        if (missing.equals(ZERO)) {
          ours.put("missing", 0);
        }
      }
      case "derived_expression" -> {
        ours.put("type", "expression");
        String unset = missing.equals(ZERO) ? "0" : "(0/0)";
        ours.put("expression", expression(template, feature.get("params"), later, unset));
      }
      case "script_feature" ->
          throw new IllegalArgumentException(
              "[template_language] script_feature cannot be imported, because its script reads a"
                  + " feature vector of the learning-to-rank plugin; write a feature of [type]"
                  + " expression, which reads other features, or of [type] script");
      default ->
          throw new IllegalArgumentException(
              "[template_language] "
                  + FeatureBinding.shown(language)
                  + " is not supported, expected mustache or derived_expression");
    }
    return ours;
  }

  private static Object ofBothPlugins(@Nullable Object template) {
    boolean isQuery =
        template instanceof Map<?, ?> object
            ? !object.isEmpty()
            : template instanceof String text && !text.isBlank();
    if (template == null || !isQuery) {
      throw new IllegalArgumentException(
          "[template] must be a string or an object that is not empty");
    }
    COUNTERPARTS.forEach(
        (query, kind) -> {
          if (template instanceof String text
              ? text.contains('"' + query + '"')
              : hasObject(template, query)) {
            throw new IllegalArgumentException(
                "[template] has query ["
                    + query
                    + "], which belongs to the learning-to-rank plugin; write a feature of [type] "
                    + kind);
          }
        });
    return template;
  }

  /** Returns whether a template contains a JSON object under the key {@code name}, at any depth. */
  private static boolean hasObject(@Nullable Object template, String name) {
    return Door.nested(template)
        .anyMatch(each -> each instanceof Map<?, ?> object && object.get(name) instanceof Map);
  }

  /**
   * Converts an expression of OpenSearch-LTR to one of this plugin. A parameter {@code name}
   * becomes {@code params.name}. Any other name with a dot is a feature's, and becomes {@code
   * feature['name']}.
   *
   * @param later the features that OpenSearch-LTR has not computed when it computes the expression:
   *     the feature itself and those after it in the set
   * @param unset the value of such a feature
   */
  private static String expression(
      @Nullable Object template, @Nullable Object params, Set<String> later, String unset) {
    if (!(template instanceof String expression) || expression.isBlank()) {
      throw new IllegalArgumentException(
          "[template] of a derived_expression must be a string that is not empty");
    }
    // The length is limited, because no breaker is charged for the converted expression.
    LuceneExpression.checkLength(expression);
    Set<Object> names =
        params instanceof List<?> list
            ? new HashSet<>(list)
            : params == null ? Set.of() : Set.of(params);
    return IDENTIFIER
        .matcher(expression)
        .replaceAll(
            found -> {
              String name = found.group();
              String feature = name.indexOf('.') < 0 ? name : "feature['" + name + "']";
              return Matcher.quoteReplacement(
                  names.contains(name) ? "params." + name : later.contains(name) ? unset : feature);
            });
  }

  /**
   * Returns a feature set in which query features have the value {@link #missing} for documents
   * that do not match their query. This is {@code stored} if it already has these values. Otherwise
   * it is a copy, with {@code _zero} or {@code _keep} appended to the name.
   */
  public FeatureSet meant(FeatureSet stored) {
    boolean zero = missing.equals(ZERO);
    float other = zero ? Float.NaN : 0;
    List<FeatureDefinition> features = new ArrayList<>();
    for (FeatureDefinition feature : stored.features()) {
      StepLimit.step();
      features.add(
          feature instanceof QueryFeature query
                  && Float.compare(query.modifiers().missing(), other) == 0
              ? new QueryFeature(
                  query.name(),
                  new Modifiers(query.modifiers().normalizers(), zero ? 0 : Float.NaN),
                  query.template())
              : feature);
    }
    return features.equals(stored.features())
        ? stored
        : new FeatureSet(
            stored.name() + (zero ? "_zero" : "_keep"), features, stored.defaultParams());
  }

  /**
   * Creates a feature set from the features of the document, which must have features.
   *
   * @param called the name of the set
   * @param memory the charge at the circuit breaker, which grows with the set
   */
  public FeatureSet featureSet(String called, MemoryCharge memory) throws IOException {
    return FeatureSet.of(
        called, Map.of("features", Objects.requireNonNull(features)), memory::grow);
  }
}
