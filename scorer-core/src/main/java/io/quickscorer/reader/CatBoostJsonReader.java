package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * CatBoost's JSON model with oblivious trees over float features, see {@link CatBoostTrees}.
 * Refused by name: categorical, text and embedding features, trees that are not oblivious, several
 * outputs.
 */
final class CatBoostJsonReader {
  private final DocumentReader reader;
  private final CatBoostTrees trees;
  private double scale = 1;
  private double bias;
  private boolean hasTrees;

  private CatBoostJsonReader(Tokens tokens, EnsembleLimits limits) {
    this.reader = new DocumentReader(tokens);
    this.trees = new CatBoostTrees(limits);
  }

  static TreeEnsemble read(Tokens tokens, EnsembleLimits limits) {
    return new CatBoostJsonReader(tokens, limits).read();
  }

  private TreeEnsemble read() {
    reader.beginObject("document");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "features_info" -> readFeatures();
        case "oblivious_trees" -> readTrees();
        case "trees" -> throw reader.failure("trees: only oblivious trees are supported");
        case "scale_and_bias" -> readScaleAndBias();
        default -> reader.skip();
      }
    }
    reader.end();
    if (!hasTrees) {
      throw reader.failure("oblivious_trees: missing");
    }
    return trees.build(new ModelSource(ModelFormat.CATBOOST_JSON.label(), "", ""), scale, bias);
  }

  private void readFeatures() {
    reader.beginObject("features_info");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "float_features" -> {
          reader.beginArray(name);
          while (reader.nextElement()) {
            readFeature();
          }
        }
        case "categorical_features", "text_features", "embedding_features", "ctrs" -> {
          reader.beginArray(name);
          if (reader.nextElement()) {
            throw reader.failure(name + ": not supported, only float features are");
          }
        }
        default -> reader.skip();
      }
    }
  }

  private void readFeature() {
    String id = "";
    String treatment = "AsIs";
    reader.beginObject("float_features");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "feature_index" -> {
          if (reader.integer(name, 0, Integer.MAX_VALUE) != trees.features()) {
            throw reader.failure(name + ": expected " + trees.features());
          }
        }
        case "feature_id", "feature_name" -> id = reader.string(name);
        case "nan_value_treatment" -> treatment = reader.string(name);
        default -> reader.skip();
      }
    }
    boolean nanIsLargest =
        switch (treatment) {
          case "AsIs", "AsFalse" -> false;
          case "AsTrue" -> true;
          default -> throw reader.failure("nan_value_treatment: expected AsIs, AsFalse or AsTrue");
        };
    try {
      trees.addFeature(id, nanIsLargest);
    } catch (InvalidModelException e) {
      throw e.at(reader.offset());
    }
  }

  private void readScaleAndBias() {
    reader.beginArray("scale_and_bias");
    int element = 0;
    while (reader.nextElement()) {
      if (element == 0) {
        scale = reader.doubleValue("scale_and_bias");
      } else if (reader.token() == Tokens.Token.BEGIN_ARRAY) {
        int biases = 0;
        while (reader.nextElement()) {
          bias = reader.doubleValue("scale_and_bias");
          if (++biases > 1) {
            throw reader.failure("scale_and_bias: several, only one output is supported");
          }
        }
      } else {
        bias = reader.doubleValue("scale_and_bias");
      }
      element++;
    }
    if (element != 2) {
      throw reader.failure("scale_and_bias: " + element + " elements, expected 2");
    }
  }

  private void readTrees() {
    hasTrees = true;
    reader.beginArray("oblivious_trees");
    while (reader.nextElement()) {
      reader.place("tree " + trees.size() + ", ");
      CatBoostTrees.Oblivious tree = readTree();
      try {
        trees.add(tree);
      } catch (InvalidModelException e) {
        throw e.at(tree.offset());
      }
      reader.place("");
    }
  }

  private CatBoostTrees.Oblivious readTree() {
    long offset = reader.offset();
    IntList features = new IntList();
    IntList borders = new IntList();
    DoubleList leaves = new DoubleList();
    reader.beginObject("tree");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "splits" -> {
          reader.beginArray(name);
          while (reader.nextElement()) {
            if (features.size() == CatBoostTrees.MAX_DEPTH) {
              throw reader.failure("splits: more than " + CatBoostTrees.MAX_DEPTH);
            }
            readSplit(features, borders);
          }
        }
        case "leaf_values" -> {
          reader.beginArray(name);
          while (reader.nextElement()) {
            leaves.add(reader.doubleValue(name));
          }
        }
        default -> reader.skip();
      }
    }
    if (leaves.size() != 1 << features.size()) {
      throw reader.failure(
          "leaf_values: " + leaves.size() + ", expected " + (1 << features.size()));
    }
    float[] floats = new float[borders.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = Float.intBitsToFloat(borders.get(i));
    }
    return new CatBoostTrees.Oblivious(offset, features.toArray(), floats, leaves.toArray());
  }

  private void readSplit(IntList features, IntList borders) {
    int before = features.size() + borders.size();
    reader.beginObject("split");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "float_feature_index" ->
            features.add((int) reader.integer(name, 0, Integer.MAX_VALUE));
        case "border" -> borders.add(Float.floatToRawIntBits(reader.floatValue(name)));
        case "split_type" -> {
          if (!reader.string(name).equals("FloatFeature")) {
            throw reader.failure("split_type: only splits of float features are supported");
          }
        }
        default -> reader.skip();
      }
    }
    if (features.size() != borders.size() || features.size() + borders.size() != before + 2) {
      throw reader.failure("split: expected float_feature_index and border");
    }
  }
}
