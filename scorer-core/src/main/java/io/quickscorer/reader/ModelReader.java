package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;

/** Reads model files of every supported format. Stateless. */
public final class ModelReader {
  private ModelReader() {}

  /**
   * Reads a model from a file's bytes, which may be gzipped.
   *
   * @throws InvalidModelException if the bytes are not a valid model of that format within the
   *     limits; nothing else is thrown whatever the bytes are
   */
  public static TreeEnsemble read(byte[] file, ModelFormat format, EnsembleLimits limits) {
    BoundedInput input = BoundedInput.of(file);
    ModelFormat found = format == ModelFormat.AUTO ? ModelFormat.detect(input) : format;
    return switch (found) {
      case LIGHTGBM_TEXT -> LightGbmTextReader.read(input, limits);
      case XGBOOST_JSON ->
          XGBoostModelReader.read(new JsonTokens(input), input.length(), found, limits);
      case XGBOOST_UBJSON ->
          XGBoostModelReader.read(new UbjsonTokens(input), input.length(), found, limits);
      case XGBOOST_BINARY -> XGBoostBinaryReader.read(input, limits);
      case XGBOOST_DUMP_JSON ->
          XGBoostDumpReader.read(new JsonTokens(input), input.length(), limits);
      case LIGHTGBM_JSON -> LightGbmDumpReader.read(new JsonTokens(input), input.length(), limits);
      case CATBOOST_JSON -> CatBoostJsonReader.read(new JsonTokens(input), limits);
      case RANKLIB, QUICKRANK_XML -> RankLibReader.read(input, limits);
      case AUTO -> throw new IllegalStateException("detection returned no format");
    };
  }
}
