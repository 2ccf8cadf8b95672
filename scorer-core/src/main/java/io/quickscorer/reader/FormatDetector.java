package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.reader.catboost.CatBoostBinaryReader;
import io.quickscorer.reader.compact.CompactLayout;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.JsonTokens;
import io.quickscorer.reader.input.Tokens.Token;
import io.quickscorer.reader.lightgbm.LightGbmTextReader;
import io.quickscorer.reader.onnx.OnnxGraph;
import io.quickscorer.reader.ranklib.RankLibReader;
import io.quickscorer.reader.xgboost.XGBoostBinaryReader;
import io.quickscorer.reader.xgboost.XGBoostTextReader;
import java.nio.ByteBuffer;

/** Tells the format of a model file from its content. */
final class FormatDetector {
  private FormatDetector() {}

  /** What the content looks like; throws if it looks like none. */
  static ModelFormat detect(BoundedInput input) {
    if (CompactLayout.recognises(ByteBuffer.wrap(input.bytes()))) {
      return ModelFormat.COMPACT;
    }
    if (OnnxGraph.recognises(input)) {
      return ModelFormat.ONNX;
    }
    if (LightGbmTextReader.recognises(input)) {
      return ModelFormat.LIGHTGBM_TEXT;
    }
    if (XGBoostTextReader.recognises(input)) {
      return ModelFormat.XGBOOST_DUMP_TEXT;
    }
    if (input.at(0) == '{' && input.at(1) > 0 && "iUIlL".indexOf(input.at(1)) >= 0) {
      return ModelFormat.XGBOOST_UBJSON;
    }
    if (XGBoostBinaryReader.recognises(input)) {
      return ModelFormat.XGBOOST_BINARY;
    }
    if (CatBoostBinaryReader.recognises(input)) {
      return ModelFormat.CATBOOST_BINARY;
    }
    if (RankLibReader.recognises(input)) {
      return ModelFormat.RANKLIB;
    }
    int first = input.skipWhiteSpace(0);
    int second = input.at(input.skipWhiteSpace(first + 1));
    if (input.at(first) == '[' && second == '{') {
      return ModelFormat.XGBOOST_DUMP_JSON;
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
          return ModelFormat.XGBOOST_JSON;
        }
        case "tree_info" -> {
          return ModelFormat.LIGHTGBM_JSON;
        }
        case "splits" -> {
          return ModelFormat.XGBOOST_DUMP_JSON;
        }
        case "_source", "hits", "feature_set", "model" -> {
          return ModelFormat.STORED_MODEL;
        }
        case "class" -> {
          return ModelFormat.SOLR_JSON;
        }
        case "features_info", "oblivious_trees" -> {
          return ModelFormat.CATBOOST_JSON;
        }
        default -> reader.skip();
      }
    }
    if (weights) {
      return ModelFormat.LINEAR_JSON;
    }
    throw InvalidModelException.at(0, "the JSON document is of no known model format");
  }
}
