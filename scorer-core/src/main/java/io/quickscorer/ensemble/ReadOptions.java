// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Options for reading a model file.
 *
 * @param output the number of the output to score, from 0, if the model has several outputs, which
 *     are classes, targets or quantiles; empty if it has one
 * @param categories for a CatBoost model that was trained with texts, the category texts of the
 *     numbers 0, 1, ... by feature name
 * @param model the name of the model to read, if the file contains several (Solr's model store);
 *     empty if it contains one
 */
public record ReadOptions(OptionalInt output, Map<String, List<String>> categories, String model) {
  public static final ReadOptions NONE = ofOutput(OptionalInt.empty());

  public static ReadOptions ofOutput(OptionalInt output) {
    return new ReadOptions(output, Map.of(), "");
  }

  /**
   * Checks that the caller has set no lists of categories. Readers of formats without category
   * texts call it.
   */
  public void noCategories() {
    if (!categories.isEmpty()) {
      throw new InvalidModelException(
          "categories: texts of categories are only supported for CatBoost models");
    }
  }

  /** Checks that the caller has set no model name. Readers of one-model formats call it. */
  public void noModel() {
    if (!model.isEmpty()) {
      throw new InvalidModelException(
          "model: a name is only supported for Solr model stores, which contain several models");
    }
  }
}
