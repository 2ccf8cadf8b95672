package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
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
  XGBOOST_UBJSON;

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
    if (LightGbmTextReader.recognises(input)) {
      return LIGHTGBM_TEXT;
    }
    if (input.at(0) == '{' && input.at(1) > 0 && "iUIlL".indexOf(input.at(1)) >= 0) {
      return XGBOOST_UBJSON;
    }
    int first = input.skipWhiteSpace(0);
    if (input.at(first) == '{' && input.at(input.skipWhiteSpace(first + 1)) == '"') {
      return XGBOOST_JSON;
    }
    throw InvalidModelException.at(0, "the content is of no known model format");
  }
}
