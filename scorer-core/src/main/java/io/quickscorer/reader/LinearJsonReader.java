// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a linear model from a JSON object that contains a weight for each feature name. Weights,
 * products and the sum are floats. The sum starts at 0, and a missing value adds nothing.
 */
final class LinearJsonReader {
  /** The format of a JSON object that contains only feature names and weights. */
  public static final FormatReader FORMAT =
      FormatReader.ofSingle("linear_json", "", LinearJsonReader::read);

  /** Maximum number of characters of a feature's name that a message shows. */
  private static final int MAX_SHOWN = 80;

  private LinearJsonReader() {}

  /** Reads a model. Its features and its terms are in the order of the JSON fields. */
  public static TreeEnsemble read(BoundedInput input, EnsembleLimits limits) {
    Map<String, Float> weights = weights(input, limits);
    return build(List.copyOf(weights.keySet()), weights);
  }

  /**
   * Reads a model whose features are those of a feature set. Its terms have the order of the set.
   *
   * @throws InvalidModelException if the model has a weight for a feature that is not in the set
   */
  public static TreeEnsemble read(
      BoundedInput input, List<String> featureSet, EnsembleLimits limits) {
    Map<String, Float> weights = weights(input, limits);
    Map<String, Float> left = new LinkedHashMap<>(weights);
    featureSet.forEach(left::remove);
    if (!left.isEmpty()) {
      String first = left.keySet().iterator().next();
      String name = first.substring(0, Math.min(first.length(), MAX_SHOWN));
      throw InvalidModelException.at(
          0,
          left.size()
              + " features with a weight are not in the feature set, the first is ["
              + name
              + "]");
    }
    return build(featureSet, weights);
  }

  private static Map<String, Float> weights(BoundedInput input, EnsembleLimits limits) {
    DocumentReader reader = DocumentReader.json(input);
    Map<String, Float> weights = new LinkedHashMap<>();
    for (String name : reader.fields("document")) {
      reader.place("weight " + weights.size() + ", ");
      reader.check("features", weights.size() + 1L, Limit.FEATURES, limits);
      weights.put(name, reader.floatValue("value"));
    }
    reader.place("");
    if (weights.isEmpty()) {
      throw reader.failure("found 0 weights, expected 1 or more");
    }
    reader.end();
    return weights;
  }

  private static TreeEnsemble build(List<String> names, Map<String, Float> weights) {
    int[] features = new int[weights.size()];
    double[] values = new double[weights.size()];
    int terms = 0;
    for (int f = 0; f < names.size(); f++) {
      Float weight = weights.get(names.get(f));
      if (weight != null) {
        features[terms] = f;
        values[terms++] = weight;
      }
    }
    return TreeEnsemble.builder(names, new ModelSource(FORMAT.format(), "", ""))
        .linear(LinearTerms.of(features, values))
        .accumulator(Accumulator.FLOAT)
        .build();
  }
}
