// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import java.util.List;
import java.util.Map;

/**
 * Converts the fields of categorical features in a table to the model's category codes. A value
 * that is not in the model's list is treated as by the trainer: LightGBM's Python package treats it
 * as missing, CatBoost as an unknown category, and XGBoost refuses it.
 *
 * @param lists the category lists of the features whose fields contain the values of categories;
 *     all other fields contain numbers
 */
public record CategoryFields(TreeEnsemble ensemble, Map<Integer, CategoryList> lists) {
  private static final int NEVER_SEEN = -1;

  /**
   * Returns a converter for a model's categorical fields.
   *
   * @param values whether the fields contain the values of categories; otherwise, they contain
   *     codes
   */
  public static CategoryFields of(TreeEnsemble ensemble, boolean values) {
    return new CategoryFields(ensemble, values ? ensemble.categories() : Map.of());
  }

  /** Returns a sentence about why scores may differ; empty if the model has no category lists. */
  public static String note(TreeEnsemble ensemble) {
    if (ensemble.categories().isEmpty()) {
      return "";
    }
    List<String> features =
        ensemble.categories().keySet().stream().map(ensemble.featureNames()::get).toList();
    return "the file has category lists of "
        + features
        + ": the scores are for rows of codes. If the trainer's scores are for a data frame, run"
        + " verify MODEL DATA EXPECTED --categories-as values, which converts values to codes";
  }

  /** Returns the number of the model's features. */
  public int features() {
    return ensemble.featureNames().size();
  }

  /**
   * Converts a number in a field to the value of a feature. A category becomes its code; the value
   * of a numeric feature is unchanged. Returns NaN for a category that XGBoost would refuse.
   */
  public float value(int feature, double number) {
    CategoryList list = lists.get(feature);
    if (list == null || list.isText()) {
      return (float) number;
    }
    int code = list.code(number);
    return code == CategoryList.NONE ? unknown() : code;
  }

  private float unknown() {
    String trainer = ModelFormats.trainer(ensemble.source().format());
    return trainer.equals("CatBoost") ? NEVER_SEEN : Float.NaN;
  }

  /**
   * Converts the text of a field to the value of a feature. A category becomes its code; the text
   * of a numeric feature is parsed as a number.
   *
   * @param line the line number, for messages
   */
  float value(int feature, String field, long line) throws Failure {
    CategoryList list = lists.get(feature);
    if (list == null) {
      return Values.parse(field, line);
    }
    int code = list.isText() ? list.code(field) : list.code(Values.number(field, line));
    if (code != CategoryList.NONE) {
      return code;
    }
    String trainer = ModelFormats.trainer(ensemble.source().format());
    boolean missing = list.isText() ? field.isEmpty() : Double.isNaN(Values.number(field, line));
    if (trainer.equals("XGBoost") && !missing) {
      throw Failure.data(
          line,
          "feature "
              + ensemble.featureNames().get(feature)
              + ": the value is not in the model's category list, and XGBoost refuses such values");
    }
    return unknown();
  }
}
