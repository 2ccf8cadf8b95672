package io.quickscorer.ensemble;

import io.quickscorer.reader.compact.CompactModelWriter;
import io.quickscorer.reader.stored.StoredModel;
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
}
