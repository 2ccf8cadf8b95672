// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Options for reading a model file.
 *
 * @param output the output to score, from 0: a class, target or quantile of a model with several;
 *     if empty, the model must have only one
 * @param categories by feature, the texts of its numbers 0, 1, ..., for a model trained on texts
 *     (CatBoost)
 * @param model the name of the model to read from a file of several (Solr's model store); empty if
 *     the file holds one
 */
public record ReadOptions(OptionalInt output, Map<String, List<String>> categories, String model) {
  public static final ReadOptions NONE = ofOutput(OptionalInt.empty());

  public static ReadOptions ofOutput(OptionalInt output) {
    return new ReadOptions(output, Map.of(), "");
  }

  /** Checks that no categories are given, for a file whose categories, if any, are numbers. */
  public void noCategories() {
    if (!categories.isEmpty()) {
      throw new InvalidModelException(
          "categories: given, but only CatBoost models take texts of categories");
    }
  }

  /** Checks that no model is named, for a file of one model. */
  public void noModel() {
    if (!model.isEmpty()) {
      throw new InvalidModelException(
          "model: named, but only Solr model stores hold several models");
    }
  }
}
