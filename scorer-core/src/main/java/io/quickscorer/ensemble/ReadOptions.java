// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The options of a reader.
 *
 * @param output the output to score, from 0: a class, target or quantile of a model of several. If
 *     empty the model must have one
 * @param categories by feature, the texts that its numbers 0, 1, ... stand for, where the model was
 *     trained on texts and knows categories by these (CatBoost)
 * @param model the name of the model to read of a file of several (Solr's model store); empty if
 *     there is one
 */
public record ReadOptions(OptionalInt output, Map<String, List<String>> categories, String model) {
  public static final ReadOptions NONE = ofOutput(OptionalInt.empty());

  public static ReadOptions ofOutput(OptionalInt output) {
    return new ReadOptions(output, Map.of(), "");
  }

  /** For a file whose categories, if it has any, are numbers. */
  public void noCategories() {
    if (!categories.isEmpty()) {
      throw new InvalidModelException(
          "categories: this file is not CatBoost's, whose models know them by their texts");
    }
  }

  /** For a file of one model. */
  public void noModel() {
    if (!model.isEmpty()) {
      throw new InvalidModelException(
          "model: named, but this file is not Solr's, whose stores hold several");
    }
  }
}
