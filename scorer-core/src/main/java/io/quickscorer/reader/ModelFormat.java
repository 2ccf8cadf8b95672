package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.Tokens.Token;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The formats of model files, by the names users write. */
public enum ModelFormat {
  /** Found out from the content. */
  AUTO,
  /** LightGBM's text file, as {@code Booster.save_model} writes it. */
  LIGHTGBM_TEXT,
  /** XGBoost's JSON file, as {@code Booster.save_model} writes it. */
  XGBOOST_JSON,
  /** The same document in Universal Binary JSON. */
  XGBOOST_UBJSON,
  /** XGBoost's {@code get_dump(dump_format="json")}, which has lost the base score. */
  XGBOOST_DUMP_JSON,
  /** XGBoost's {@code get_dump()} as text, which has lost the base score. */
  XGBOOST_DUMP_TEXT,
  /** XGBoost's own binary file, up to 2.x. */
  XGBOOST_BINARY,
  /** LightGBM's {@code Booster.dump_model} as JSON. */
  LIGHTGBM_JSON,
  /** CatBoost's JSON model. */
  CATBOOST_JSON,
  /** CatBoost's own binary file, {@code .cbm}. */
  CATBOOST_BINARY,
  /** RankLib's tree models and linear models. */
  RANKLIB,
  /** QuickRank's XML model. */
  QUICKRANK_XML,
  /** An ONNX file with one operator of trees. */
  ONNX,
  /** Our own binary format, see {@link CompactModelWriter}. */
  COMPACT,
  /** A JSON object of feature names and weights. */
  LINEAR_JSON,
  /** Solr's MultipleAdditiveTreesModel or LinearModel. */
  SOLR_JSON,
  /** The document in which the learning-to-rank plugin stores a model; see {@link StoredModel}. */
  STORED_MODEL;

  /** The name as users write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The format of that name.
   *
   * @throws IllegalArgumentException naming the possible ones
   */
  public static ModelFormat of(String label) {
    for (ModelFormat format : values()) {
      if (format.label().equals(label.toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    StringBuilder known = new StringBuilder();
    for (ModelFormat format : values()) {
      known.append(known.isEmpty() ? "" : ", ").append(format.label());
    }
    throw new IllegalArgumentException("unknown model format, expected one of " + known);
  }

  /** What the content looks like; throws if it looks like none. */
  static ModelFormat detect(BoundedInput input) {
    if (CompactLayout.recognises(ByteBuffer.wrap(input.bytes()))) {
      return COMPACT;
    }
    if (OnnxGraph.recognises(input)) {
      return ONNX;
    }
    if (LightGbmTextReader.recognises(input)) {
      return LIGHTGBM_TEXT;
    }
    if (XGBoostTextReader.recognises(input)) {
      return XGBOOST_DUMP_TEXT;
    }
    if (input.at(0) == '{' && input.at(1) > 0 && "iUIlL".indexOf(input.at(1)) >= 0) {
      return XGBOOST_UBJSON;
    }
    if (XGBoostBinaryReader.recognises(input)) {
      return XGBOOST_BINARY;
    }
    if (CatBoostBinaryReader.recognises(input)) {
      return CATBOOST_BINARY;
    }
    if (RankLibReader.recognises(input)) {
      return RANKLIB;
    }
    int first = input.skipWhiteSpace(0);
    int second = input.at(input.skipWhiteSpace(first + 1));
    if (input.at(first) == '[' && second == '{') {
      return XGBOOST_DUMP_JSON;
    }
    if (input.at(first) == '{' && second == '"') {
      return detectObject(new DocumentReader(new JsonTokens(input)));
    }
    throw ForeignFormat.refusal(input);
  }

  /**
   * Tells JSON documents by the first name that only one of the formats has; one of nothing but
   * numbers holds weights.
   */
  private static ModelFormat detectObject(DocumentReader reader) {
    reader.beginObject("document");
    boolean weights = true;
    String name;
    while ((name = reader.nextName()) != null) {
      if (reader.token() == Token.NUMBER) {
        continue;
      }
      weights = false;
      switch (name) {
        case "learner" -> {
          return XGBOOST_JSON;
        }
        case "tree_info" -> {
          return LIGHTGBM_JSON;
        }
        case "splits" -> {
          return XGBOOST_DUMP_JSON;
        }
        case "_source", "hits", "feature_set", "model" -> {
          return STORED_MODEL;
        }
        case "class" -> {
          return SOLR_JSON;
        }
        case "features_info", "oblivious_trees" -> {
          return CATBOOST_JSON;
        }
        default -> reader.skip();
      }
    }
    if (weights) {
      return LINEAR_JSON;
    }
    throw InvalidModelException.at(0, "the JSON document is of no known model format");
  }
}
