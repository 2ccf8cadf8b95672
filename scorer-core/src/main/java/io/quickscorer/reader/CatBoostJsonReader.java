package io.quickscorer.reader;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.Thresholds;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * CatBoost's JSON model with oblivious trees over float features: all splits of one depth are the
 * same, and bit i of a leaf's number says whether {@code x > border} of split i.
 *
 * <p>CatBoost sums in double, in file order, and gives {@code scale * sum + bias}. Refused by name:
 * categorical, text and embedding features, trees that are not oblivious, several outputs.
 */
final class CatBoostJsonReader {
  private static final int MAX_DEPTH = 16;

  /** One oblivious tree; split i decides bit i of the leaf's number. */
  private record Oblivious(long offset, int[] features, float[] borders, double[] leaves) {}

  private final DocumentReader reader;
  private final EnsembleLimits limits;
  private final Deque<Oblivious> trees = new ArrayDeque<>();
  private final List<String> names = new ArrayList<>();
  private final IntList nanRight = new IntList();
  private final IntList features = new IntList();
  private final IntList borders = new IntList();
  private final DoubleList leaves = new DoubleList();
  private double scale = 1;
  private double bias;
  private boolean hasTrees;

  private CatBoostJsonReader(Tokens tokens, EnsembleLimits limits) {
    this.reader = new DocumentReader(tokens);
    this.limits = limits;
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
    TreeEnsemble.Builder ensemble =
        TreeEnsemble.builder(names, new ModelSource(ModelFormat.CATBOOST_JSON.label(), "", ""));
    TreeBuilder builder = new TreeBuilder(limits, names.size(), false);
    List<Tree> built = new ArrayList<>(trees.size());
    while (!trees.isEmpty()) {
      // Forgotten one by one, so that both forms of all trees are never held.
      built.add(build(builder, built.size(), trees.remove()));
    }
    return ensemble.trees(built).accumulator(Accumulator.DOUBLE).scaleAndBias(scale, bias).build();
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
          if (reader.integer(name, 0, Integer.MAX_VALUE) != names.size()) {
            throw reader.failure(name + ": expected " + names.size());
          }
        }
        case "feature_id", "feature_name" -> id = reader.string(name);
        case "nan_value_treatment" -> treatment = reader.string(name);
        default -> reader.skip();
      }
    }
    if (names.size() == limits.maxFeatures()) {
      throw reader.failure("float_features: more than " + limits.maxFeatures());
    }
    switch (treatment) {
      // NaN is greater than no border, unless it is to count as the largest value.
      case "AsIs", "AsFalse" -> nanRight.add(0);
      case "AsTrue" -> nanRight.add(1);
      default -> throw reader.failure("nan_value_treatment: expected AsIs, AsFalse or AsTrue");
    }
    names.add(id.isEmpty() ? String.valueOf(names.size()) : id);
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
      if (trees.size() == limits.maxTrees()) {
        throw reader.failure("oblivious_trees: more than " + limits.maxTrees());
      }
      reader.place("tree " + trees.size() + ", ");
      trees.add(readTree());
      reader.place("");
    }
  }

  private Oblivious readTree() {
    long offset = reader.offset();
    features.clear();
    borders.clear();
    leaves.clear();
    reader.beginObject("tree");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "splits" -> {
          reader.beginArray(name);
          while (reader.nextElement()) {
            if (features.size() == MAX_DEPTH) {
              throw reader.failure("splits: more than " + MAX_DEPTH);
            }
            readSplit();
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
    return new Oblivious(offset, features.toArray(), floats, leaves.toArray());
  }

  private void readSplit() {
    int before = features.size() + borders.size();
    reader.beginObject("split");
    String name;
    while ((name = reader.nextName()) != null) {
      switch (name) {
        case "float_feature_index" ->
            features.add((int) reader.integer(name, 0, limits.maxFeatures()));
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

  /** Unfolds an oblivious tree: the last split is the root, so that leaves are in order. */
  private Tree build(TreeBuilder builder, int number, Oblivious tree) {
    int depth = tree.features.length;
    int splits = (1 << depth) - 1;
    try {
      builder.start(number, 2 * splits + 1);
      for (int node = 0; node < splits; node++) {
        int level = 31 - Integer.numberOfLeadingZeros(node + 1);
        int split = depth - 1 - level;
        int feature = tree.features[split];
        boolean right = feature < nanRight.size() && nanRight.get(feature) == 1;
        float bound = Thresholds.lessOrEqual(tree.borders[split]);
        builder.split(
            node, feature, bound, MissingValue.of(!right, false), 2 * node + 1, 2 * node + 2);
      }
      for (int leaf = 0; leaf <= splits; leaf++) {
        builder.leaf(splits + leaf, tree.leaves[leaf]);
      }
      return builder.build(0);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(tree.offset, String.valueOf(e.getMessage()));
    }
  }
}
