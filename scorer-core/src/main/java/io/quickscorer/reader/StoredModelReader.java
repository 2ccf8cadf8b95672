// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Reads a model that the learning-to-rank plugin of OpenSearch and Elasticsearch stores: the
 * response of {@code GET _ltr/_model/NAME}, its {@code _source}, or the {@code model} within. The
 * stored definition is a model file, and the reader of the file's format reads it. Then each
 * feature of the model is assigned to a feature of the stored feature set, by name or, for RankLib,
 * by number. Feature normalisers are applied to the model's thresholds and terms.
 *
 * <p>The body of a request that creates a model in one of the plugin's feature sets is also
 * supported; the features then have the names in the definition.
 */
final class StoredModelReader {
  /** The format of the document in which the learning-to-rank plugin stores a model. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle(
              "stored_model", "", (input, limits) -> new StoredModelReader(input, limits).read())
          .withFields("_source", "hits", "feature_set", "model");

  private static final String RANKLIB = "model/ranklib";
  private static final String XGBOOST_DUMP = "model/xgboost+json";
  private static final String XGBOOST_MODEL = "model/xgboost+json+raw";
  private static final String LINEAR = "model/linear";

  private final BoundedInput input;
  private final EnsembleLimits limits;
  private final DocumentReader reader;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Normaliser> normalisers = new LinkedHashMap<>();
  private String type = "";
  private boolean hasFeatures;
  private @Nullable BoundedInput definition;
  private String definitionPlace = "";

  private StoredModelReader(BoundedInput input, EnsembleLimits limits) {
    this.input = input;
    this.limits = limits;
    this.reader = DocumentReader.json(input);
  }

  private TreeEnsemble read() {
    readDocument("document");
    reader.end();
    BoundedInput inner = definition;
    if (type.isEmpty() || inner == null) {
      throw reader.failure((inner == null ? "definition" : "type") + ": missing");
    }
    try {
      return bind(inner);
    } catch (InvalidModelException e) {
      throw e.in(definitionPlace);
    }
  }

  /** Reads the fields of the whole document, or of its {@code _source}. */
  private void readDocument(String what) {
    for (String field : reader.fields(what)) {
      switch (field) {
        case "_source" -> {
          if (!what.equals("document")) {
            throw reader.failure(field + ": found inside another " + field);
          }
          readDocument(field);
        }
        case "found" -> {
          if (!reader.bool(field)) {
            throw reader.failure("[found] is false, so the document contains no model");
          }
        }
        case "hits" ->
            throw reader.failure(
                "hits: found a search response, expected the document of one model");
        case "feature_set" -> readFeatureSet();
        case "model" -> readModel(false);
        default -> {}
      }
    }
  }

  private void readModel(boolean inner) {
    for (String field : reader.fields("model")) {
      switch (field) {
        case "feature_set" -> readFeatureSet();
        case "model" -> {
          if (inner) {
            throw reader.failure("model: nested too deeply");
          }
          readModel(true);
        }
        case "type" -> type = reader.string(field);
        case "definition" -> readDefinition();
        case "feature_normalizers" -> readNormalisers();
        default -> {}
      }
    }
  }

  /**
   * Reads the definition, which is the model file as a string. If the file is JSON, the definition
   * can also be its JSON object or array.
   */
  private void readDefinition() {
    if (definition != null) {
      throw reader.failure("definition: found two definitions, expected one");
    }
    definitionPlace = "definition at byte " + reader.offset();
    if (reader.token() == JsonToken.VALUE_STRING) {
      byte[] text = reader.string("definition").getBytes(StandardCharsets.UTF_8);
      definition = BoundedInput.ofPlain(text);
    } else if (reader.token() == JsonToken.START_OBJECT
        || reader.token() == JsonToken.START_ARRAY) {
      int start = (int) reader.offset();
      reader.skip();
      int end = (int) reader.offset() + 1;
      definition = BoundedInput.ofPlain(Arrays.copyOfRange(input.bytes(), start, end));
    } else {
      throw reader.failure("definition: expected an object, an array or a string");
    }
  }

  private void readFeatureSet() {
    if (hasFeatures) {
      throw reader.failure("feature_set: found two feature sets, expected one");
    }
    reader.field("feature_set", "features", this::readFeatures);
  }

  private void readFeatures() {
    hasFeatures = true;
    reader.elements("features", "feature", Limit.FEATURES, limits, this::readFeature);
  }

  private void readFeature() {
    String featureName = "";
    for (String field : reader.fields("feature")) {
      featureName = field.equals("name") ? reader.string(field) : featureName;
    }
    if (featureName.isEmpty()) {
      throw reader.failure("name: missing");
    }
    names.add(featureName);
  }

  private void readNormalisers() {
    for (String feature : reader.fields("feature_normalizers")) {
      reader.check("feature_normalizers", normalisers.size() + 1L, Limit.FEATURES, limits);
      reader.place("feature_normalizers, element " + normalisers.size() + ", ");
      reader.beginObject("value");
      String kind = reader.nextName();
      if (kind == null) {
        throw reader.failure("the normaliser is missing, expected standard or min_max");
      }
      normalisers.put(feature, readNormaliser(kind));
      if (reader.nextName() != null) {
        throw reader.failure("found more than one normaliser for the feature, expected one");
      }
      reader.place("");
    }
  }

  private Normaliser readNormaliser(String kind) {
    boolean standard = kind.equals("standard");
    if (!standard && !kind.equals("min_max")) {
      throw reader.failure(
          "found normaliser ["
              + InvalidModelException.shown(kind)
              + "], expected standard or min_max");
    }
    float mean = 0;
    float deviation = 0;
    float minimum = 0;
    float maximum = Float.MAX_VALUE;
    for (String field : reader.fields(kind)) {
      switch (field) {
        case "mean" -> mean = reader.floatValue(field);
        case "standard_deviation" -> deviation = reader.floatValue(field);
        case "minimum" -> minimum = reader.floatValue(field);
        case "maximum" -> maximum = reader.floatValue(field);
        default ->
            throw reader.failure(
                "unknown field [" + InvalidModelException.shown(field) + "] of normaliser " + kind);
      }
    }
    return standard
        ? Normaliser.of(reader, mean, deviation)
        : Normaliser.of(reader, minimum, maximum - minimum);
  }

  private TreeEnsemble bind(BoundedInput inner) {
    TreeEnsemble model =
        switch (type) {
          case RANKLIB -> RankLibReader.FORMAT.reader().read(inner, limits, ReadOptions.NONE);
          case XGBOOST_DUMP ->
              XGBoostDumpReader.FORMAT.reader().read(inner, limits, ReadOptions.NONE);
          case XGBOOST_MODEL ->
              XGBoostModelReader.JSON.reader().read(inner, limits, ReadOptions.NONE);
          case LINEAR ->
              hasFeatures
                  ? LinearJsonReader.read(inner, names, limits)
                  : LinearJsonReader.read(inner, limits);
          default ->
              throw new InvalidModelException(
                  "type: expected "
                      + String.join(", ", RANKLIB, XGBOOST_DUMP, XGBOOST_MODEL, LINEAR));
        };
    if (!hasFeatures) {
      names.addAll(model.featureNames());
    }
    Map<String, Integer> places = new HashMap<>();
    for (String feature : names) {
      places.put(feature, places.size());
    }
    Map<Integer, Normaliser> byPlace = new HashMap<>();
    normalisers.forEach(
        (feature, normaliser) -> {
          Integer place = places.get(feature);
          if (place == null) {
            throw new InvalidModelException(
                "feature_normalizers: feature ["
                    + InvalidModelException.shown(feature)
                    + "] is not in the feature set");
          }
          byPlace.put(place, normaliser);
        });
    boolean missingIsZero =
        type.equals(RANKLIB) || (!byPlace.isEmpty() && saysMissingAsZero(inner));
    return new Rebinding(names, places(model, places), byPlace, missingIsZero)
        .apply(model, source(model.source()), limits);
  }

  /**
   * Returns, for each feature of the model, its index in the feature set; -1 if the set lacks the
   * feature.
   *
   * @param places the index of each feature in the set, by name
   */
  private int[] places(TreeEnsemble model, Map<String, Integer> places) {
    int[] to = new int[model.featureNames().size()];
    for (int f = 0; f < to.length; f++) {
      to[f] = type.equals(RANKLIB) ? f : places.getOrDefault(model.featureNames().get(f), -1);
      boolean known = to[f] >= 0 && to[f] < names.size();
      if (!known && model.uses(f)) {
        throw new InvalidModelException(
            "feature ["
                + InvalidModelException.shown(model.featureNames().get(f))
                + "] of the model is not among the "
                + names.size()
                + " features of the feature set");
      }
    }
    return to;
  }

  /**
   * Returns the field {@code missing_as_zero} of an XGBoost model; false if absent. This class
   * needs the field, because missing values must become 0 before they are normalised.
   */
  private boolean saysMissingAsZero(BoundedInput inner) {
    if (type.equals(LINEAR) || inner.at(inner.skipWhiteSpace(0)) != '{') {
      return false;
    }
    DocumentReader document = DocumentReader.json(inner);
    for (String field : document.fields("document")) {
      if (field.equals(XGBoostDumpReader.MISSING_AS_ZERO)) {
        return document.bool(field);
      }
    }
    return false;
  }

  private ModelSource source(ModelSource inner) {
    List<String> notes = new ArrayList<>(inner.notes());
    notes.add(
        hasFeatures
            ? type + ", with the features of the stored model document"
            : type
                + " without its feature set: features have the names in the definition, which for"
                + " RankLib are the positions in the set, from 1");
    if (type.equals(XGBOOST_MODEL)) {
      notes.add(
          "scores include the base score and dropout weights, which the plugin that stored the"
              + " model leaves out; that plugin uses base_weights as leaf values, which differ from"
              + " the leaves' values in models of tree_method exact and of XGBoost 1.0");
    }
    if (!normalisers.isEmpty()) {
      notes.add(normalisers.size() + " normalisers of features are included in the model");
    }
    return new ModelSource(FORMAT.format(), inner.version(), inner.objective(), notes);
  }
}
