package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * CatBoost's own binary file, {@code .cbm}: four letters, a length, and a FlatBuffers table. Trees
 * are oblivious and refer to splits by number: the borders of all features one after the other. See
 * {@link CatBoostTrees}. Refused by name: categorical, text and embedding features, trees that are
 * not oblivious, several outputs.
 */
final class CatBoostBinaryReader {
  private static final String MAGIC = "CBM1";
  private static final String VERSION = "FlabuffersModel_v1";
  private static final int HEADER_BYTES = 8;

  /** Fields of the core table. */
  private static final int FORMAT_VERSION = 0;

  private static final int MODEL_TREES = 1;
  private static final int MODEL_PARTS = 3;

  /** Fields of the table of trees. */
  private static final int DIMENSION = 0;

  private static final int TREE_SPLITS = 1;
  private static final int TREE_SIZES = 2;
  private static final int FLOAT_FEATURES = 5;
  private static final int LEAF_VALUES = 8;
  private static final int SCALE = 14;
  private static final int BIAS = 15;
  private static final int MULTI_BIAS = 16;

  /** What else a table of trees may hold, none of which is supported: fields and their names. */
  private static final int[] REFUSED = {4, 6, 7, 10, 12, 13, 18};

  private static final String[] REFUSED_NAMES = {
    "categorical features",
    "one-hot features",
    "CTR features",
    "trees that are not oblivious",
    "text features",
    "estimated features",
    "embedding features"
  };

  /** Fields of a float feature. */
  private static final int FEATURE_INDEX = 1;

  private static final int FEATURE_BORDERS = 3;
  private static final int FEATURE_ID = 4;
  private static final int FEATURE_NANS = 5;

  private static final int NAN_AS_TRUE = 2;

  private final int length;
  private final FlatBuffer file;
  private final EnsembleLimits limits;
  private final CatBoostTrees trees;

  /** Per split its feature, and the bits of its border. */
  private final IntList splitFeatures = new IntList();

  private final IntList splitBorders = new IntList();

  private CatBoostBinaryReader(BoundedInput input, int end, EnsembleLimits limits) {
    this.length = input.length();
    this.file = new FlatBuffer(input, HEADER_BYTES, end);
    this.limits = limits;
    this.trees = new CatBoostTrees(limits);
  }

  /** Whether the bytes begin as such a file does. */
  static boolean recognises(BoundedInput input) {
    return input.startsWith(0, MAGIC);
  }

  static TreeEnsemble read(BoundedInput input, EnsembleLimits limits) {
    if (!recognises(input) || input.length() < HEADER_BYTES) {
      throw InvalidModelException.at(0, "expected " + MAGIC + " and a length");
    }
    long size = 0;
    for (int i = HEADER_BYTES - 1; i >= MAGIC.length(); i--) {
      size = size << Byte.SIZE | input.at(i);
    }
    if (size > input.length() - HEADER_BYTES) {
      throw InvalidModelException.at(
          MAGIC.length(),
          "core: " + size + " bytes, the file has " + (input.length() - HEADER_BYTES));
    }
    return new CatBoostBinaryReader(input, HEADER_BYTES + (int) size, limits)
        .read(HEADER_BYTES + (int) size);
  }

  private TreeEnsemble read(int end) {
    int core = file.root();
    String version = file.string(file.field(core, FORMAT_VERSION, "core"), "FormatVersion");
    if (!version.equals(VERSION)) {
      throw file.failure(core, "FormatVersion: expected " + VERSION);
    }
    int parts = file.length(file.field(core, MODEL_PARTS, "core"), Integer.BYTES, "ModelPartIds");
    if (parts > 0 || end != length) {
      throw file.failure(
          end, "more after the trees: only float features are supported, without CTR or text data");
    }
    int treesField = file.field(core, MODEL_TREES, "core");
    if (treesField == FlatBuffer.ABSENT) {
      throw file.failure(core, "trees: missing");
    }
    int table = file.target(treesField, "trees");
    for (int i = 0; i < REFUSED.length; i++) {
      if (file.length(file.field(table, REFUSED[i], "trees"), 1, REFUSED_NAMES[i]) > 0) {
        throw file.failure(
            table,
            REFUSED_NAMES[i] + ": not supported, only oblivious trees of float features are");
      }
    }
    int dimension = file.field(table, DIMENSION, "trees");
    if (dimension != FlatBuffer.ABSENT && file.intAt(dimension, "ApproxDimension") > 1) {
      throw file.failure(
          dimension,
          "ApproxDimension: "
              + file.intAt(dimension, "ApproxDimension")
              + ", only models with one output are supported");
    }
    readFeatures(table);
    readTrees(table);
    int scale = file.field(table, SCALE, "trees");
    return trees.build(
        new ModelSource(ModelFormat.CATBOOST_BINARY.label(), "", ""),
        scale == FlatBuffer.ABSENT ? 1 : file.doubleAt(scale, "Scale"),
        bias(table));
  }

  /** The one bias, which later versions write as a vector, earlier ones as a number. */
  private double bias(int table) {
    int vector = file.field(table, MULTI_BIAS, "trees");
    int biases = file.length(vector, Double.BYTES, "MultiBias");
    if (biases > 1) {
      throw file.failure(
          vector, "MultiBias: " + biases + ", only models with one output are supported");
    }
    int single = file.field(table, BIAS, "trees");
    if (biases == 1) {
      return file.doubleAt(file.elements(vector, "MultiBias"), "MultiBias");
    }
    return single == FlatBuffer.ABSENT ? 0 : file.doubleAt(single, "Bias");
  }

  private void readFeatures(int table) {
    int field = file.field(table, FLOAT_FEATURES, "trees");
    int count = file.length(field, Integer.BYTES, "FloatFeatures");
    int first = count == 0 ? 0 : file.elements(field, "FloatFeatures");
    for (int i = 0; i < count; i++) {
      String place = "feature " + i;
      int feature = file.target(first + i * Integer.BYTES, place);
      int index = file.field(feature, FEATURE_INDEX, place);
      if (index == FlatBuffer.ABSENT || file.intAt(index, place) != i) {
        throw file.failure(feature, place + ": Index is not " + i);
      }
      int nans = file.field(feature, FEATURE_NANS, place);
      int treatment = nans == FlatBuffer.ABSENT ? 0 : file.byteAt(nans, place);
      if (treatment < 0 || treatment > NAN_AS_TRUE) {
        throw file.failure(nans, place + ": NanValueTreatment " + treatment + ", expected 0..2");
      }
      String id = file.string(file.field(feature, FEATURE_ID, place), place + ", FeatureId");
      try {
        trees.addFeature(id, treatment == NAN_AS_TRUE);
      } catch (InvalidModelException e) {
        throw e.at(feature);
      }
      readBorders(i, file.field(feature, FEATURE_BORDERS, place), place + ", Borders");
    }
  }

  private void readBorders(int feature, int field, String place) {
    int count = file.length(field, Float.BYTES, place);
    int first = count == 0 ? 0 : file.elements(field, place);
    for (int i = 0; i < count; i++) {
      splitFeatures.add(feature);
      splitBorders.add(Float.floatToRawIntBits(file.floatAt(first + i * Float.BYTES, place)));
    }
  }

  private void readTrees(int table) {
    int sizesField = file.field(table, TREE_SIZES, "trees");
    int count = file.length(sizesField, Integer.BYTES, "TreeSizes");
    int splitsField = file.field(table, TREE_SPLITS, "trees");
    int splits = file.length(splitsField, Integer.BYTES, "TreeSplits");
    int leavesField = file.field(table, LEAF_VALUES, "trees");
    int leaves = file.length(leavesField, Double.BYTES, "LeafValues");
    try {
      limits.check("trees", count, Limit.TREES);
    } catch (InvalidModelException e) {
      throw e.at(table);
    }
    int split = 0;
    int leaf = 0;
    for (int tree = 0; tree < count; tree++) {
      int at = file.elements(sizesField, "TreeSizes") + tree * Integer.BYTES;
      int depth = file.intAt(at, "TreeSizes");
      if (depth < 0 || depth > CatBoostTrees.MAX_DEPTH || depth > splits - split) {
        throw file.failure(
            at,
            "tree "
                + tree
                + ": "
                + depth
                + " splits, expected 0.."
                + CatBoostTrees.MAX_DEPTH
                + ", of which the file has "
                + (splits - split));
      }
      if (1 << depth > leaves - leaf) {
        throw file.failure(
            at, "tree " + tree + ": " + (1 << depth) + " leaves, " + (leaves - leaf) + " left");
      }
      int firstSplit = depth == 0 ? 0 : file.elements(splitsField, "TreeSplits");
      int firstLeaf = file.elements(leavesField, "LeafValues") + leaf * Double.BYTES;
      readTree(at, depth, firstSplit + split * Integer.BYTES, firstLeaf);
      split += depth;
      leaf += 1 << depth;
    }
    if (split != splits || leaf != leaves) {
      throw file.failure(
          table,
          (splits - split) + " splits and " + (leaves - leaf) + " leaves more than the trees have");
    }
  }

  private void readTree(int offset, int depth, int firstSplit, int firstLeaf) {
    String place = "tree " + trees.size();
    int[] features = new int[depth];
    float[] borders = new float[depth];
    for (int i = 0; i < depth; i++) {
      int at = firstSplit + i * Integer.BYTES;
      int number = file.intAt(at, place);
      if (number < 0 || number >= splitFeatures.size()) {
        throw file.failure(
            at, place + ": split " + number + ", expected 0.." + (splitFeatures.size() - 1));
      }
      features[i] = splitFeatures.get(number);
      borders[i] = Float.intBitsToFloat(splitBorders.get(number));
    }
    double[] values = new double[1 << depth];
    for (int leaf = 0; leaf < values.length; leaf++) {
      values[leaf] = file.doubleAt(firstLeaf + leaf * Double.BYTES, place);
    }
    try {
      trees.add(new CatBoostTrees.Oblivious(offset, features, borders, values));
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }
}
