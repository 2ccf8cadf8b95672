// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.DocumentReader;
import io.quickscorer.reader.input.DoubleList;
import java.util.Arrays;
import tools.jackson.core.JsonToken;

/**
 * Reads CatBoost's JSON model, see {@link CatBoostTrees}. Models with text or embedding features
 * are not supported.
 */
final class CatBoostJsonReader {
  /** The format of CatBoost's JSON model. */
  public static final FormatReader FORMAT =
      FormatReader.ofOptions(
              "catboost_json",
              "CatBoost",
              (input, limits, options) -> {
                options.noModel();
                return new CatBoostJsonReader(input, limits, options).read();
              })
          .withFields("features_info", "oblivious_trees");

  private final DocumentReader reader;
  private final CatBoostFeatures features;
  private final CatBoostCtrs ctrs = new CatBoostCtrs();
  private final CatBoostTrees trees;

  /** Number of splits on float features and one-hot features. */
  private int splits;

  private double scale = 1;
  private final DoubleList biases = new DoubleList();
  private long biasesEnd;
  private final CatBoostOutputs outputs;
  private boolean hasTrees;

  private CatBoostJsonReader(BoundedInput input, EnsembleLimits limits, ReadOptions options) {
    this.outputs = new CatBoostOutputs(options);
    this.reader = DocumentReader.json(input);
    this.features = new CatBoostFeatures(limits, options.categories());
    this.trees = new CatBoostTrees(features, ctrs, limits, input.length());
  }

  private TreeEnsemble read() {
    for (String name : reader.fields("document")) {
      switch (name) {
        case "features_info" -> readFeatures();
        case "oblivious_trees", "trees" -> readTrees(name);
        case "scale_and_bias" -> readScaleAndBias();
        case "ctr_data" -> new CatBoostJsonCtrs(reader, ctrs).readTables();
        default -> {}
      }
    }
    reader.end();
    if (!hasTrees) {
      throw reader.failure("oblivious_trees: missing");
    }
    return trees.build(
        new ModelSource(FORMAT.format(), "", "", outputs.notes(false)), scale, bias(), splits);
  }

  private void readFeatures() {
    for (String name : reader.fields("features_info")) {
      switch (name) {
        case "float_features", "categorical_features" -> {
          for (JsonToken _ : reader.elements(name)) {
            readFeature(name);
          }
        }
        case "text_features", "embedding_features" -> {
          if (reader.elements(name).iterator().hasNext()) {
            throw reader.failure(name + ": only numbers and categories are supported");
          }
        }
        case "ctrs" -> new CatBoostJsonCtrs(reader, ctrs).readCtrs();
        default -> {}
      }
    }
  }

  private void readFeature(String kind) {
    boolean categorical = kind.equals("categorical_features");
    int number = -1;
    String id = "";
    String treatment = "AsIs";
    boolean hasNans = false;
    int column = CatBoostFeatures.NO_COLUMN;
    for (String name : reader.fields(kind)) {
      switch (name) {
        case "feature_index" -> number = reader.count(name);
        case "flat_feature_index" -> column = reader.count(name);
        case "feature_id", "feature_name" -> id = reader.string(name);
        case "has_nans" -> hasNans = reader.bool(name);
        case "nan_value_treatment" -> treatment = reader.string(name);
        case "borders", "values" -> {
          for (JsonToken _ : reader.elements(name)) {
            splits++;
          }
        }
        default -> {}
      }
    }
    boolean nanIsLargest =
        switch (treatment) {
          case "AsIs", "AsFalse" -> false;
          case "AsTrue" -> hasNans;
          default -> throw reader.failure("nan_value_treatment: expected AsIs, AsFalse or AsTrue");
        };
    if (categorical) {
      features.addCategorical(
          reader.offset(), number < 0 ? features.categorical() : number, id, column);
    } else {
      features.addFloat(
          reader.offset(), number < 0 ? features.floats() : number, id, column, nanIsLargest);
    }
  }

  private void readScaleAndBias() {
    int element = 0;
    for (JsonToken first : reader.elements("scale_and_bias")) {
      if (element == 0) {
        scale = reader.doubleValue("scale_and_bias");
      } else if (first == JsonToken.START_ARRAY) {
        reader.doubles("scale_and_bias", biases);
      } else {
        biases.add(reader.doubleValue("scale_and_bias"));
      }
      element++;
    }
    biasesEnd = reader.offset();
    if (element != 2) {
      throw reader.failure("scale_and_bias: found " + element + " elements, expected 2");
    }
  }

  /**
   * Returns the bias of the output that is scored; 0 if the file has no biases. A single 0 counts
   * for all outputs.
   */
  private double bias() {
    if (Arrays.stream(biases.toArray()).allMatch(bias -> bias == 0) && biases.size() < 2) {
      return 0;
    }
    if (biases.size() != outputs.count()) {
      throw InvalidModelException.at(
          biasesEnd,
          "scale_and_bias: found " + biases.size() + " biases, expected " + outputs.count());
    }
    return outputs.of(biases.toArray())[0];
  }

  private void readTrees(String kind) {
    if (hasTrees) {
      throw reader.failure(kind + ": the file has two lists of trees, expected one");
    }
    hasTrees = true;
    CatBoostJsonTree tree = new CatBoostJsonTree(reader, outputs);
    for (JsonToken _ : reader.elements(kind)) {
      reader.place("tree " + trees.size() + ", ");
      trees.add(kind.equals("trees") ? tree.readNonSymmetric() : tree.readOblivious());
      reader.place("");
    }
  }
}
