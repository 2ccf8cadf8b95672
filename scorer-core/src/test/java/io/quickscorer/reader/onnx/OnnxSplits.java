// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.modes;
import static io.quickscorer.reader.onnx.OnnxModels.operator;
import static io.quickscorer.reader.onnx.OnnxModels.tensorOf;

import java.util.ArrayList;
import java.util.List;

/**
 * Trees of an operator TreeEnsemble, whose splits may be shared: written as ONNX has them, and
 * scored by walking them as the specification says.
 */
final class OnnxSplits {
  /**
   * A split.
   *
   * @param mode as {@link OnnxForest} numbers them
   * @param whenTrue a split's number, or {@code ~} that of a leaf; a leaf's weight is its number
   */
  private record Split(
      int feature, int mode, double value, int whenTrue, int whenFalse, boolean missingTrue) {

    boolean holds(float x, boolean doubles) {
      double v = doubles ? value : (float) value;
      boolean holds =
          switch (mode) {
            case OnnxForest.LEQ -> x <= v;
            case OnnxForest.LT -> x < v;
            case OnnxForest.GTE -> x >= v;
            case OnnxForest.GT -> x > v;
            case OnnxForest.EQ -> x == v;
            default -> x != v;
          };
      return holds || (Float.isNaN(x) && missingTrue);
    }
  }

  private final boolean doubles;
  private final List<Split> splits = new ArrayList<>();
  private final List<Integer> roots = new ArrayList<>();
  private int leaves;

  /**
   * No trees yet.
   *
   * @param doubles whether splits and leaves are doubles, which floats are compared with
   */
  OnnxSplits(boolean doubles) {
    this.doubles = doubles;
  }

  /** How many splits there are: the number of the next. */
  int size() {
    return splits.size();
  }

  /** Another leaf, as children are. */
  int leaf() {
    return ~leaves++;
  }

  /** Adds a split; children may come later. */
  void add(int feature, int mode, double value, int whenTrue, int whenFalse, boolean missingTrue) {
    splits.add(new Split(feature, mode, value, whenTrue, whenFalse, missingTrue));
  }

  /** Adds a tree that begins with a split. */
  void root(int split) {
    roots.add(split);
  }

  double score(float... document) {
    double sum = 0;
    for (int at : roots) {
      while (at >= 0) {
        Split split = splits.get(at);
        at = split.holds(document[split.feature], doubles) ? split.whenTrue : split.whenFalse;
      }
      sum += ~at;
    }
    return sum;
  }

  /** The file, whose documents have three features. */
  byte[] file() {
    return OnnxModels.file(doubles ? OnnxModels.DOUBLE : OnnxModels.FLOAT, 3, message());
  }

  private OnnxMessage tensor(double... values) {
    if (!doubles) {
      return tensorOf(values);
    }
    OnnxMessage tensor = new OnnxMessage().number(2, OnnxModels.DOUBLE);
    for (double value : values) {
      tensor.fixed64(10, Double.doubleToLongBits(value));
    }
    return tensor;
  }

  private OnnxMessage message() {
    int n = splits.size();
    long[][] columns = new long[6][n];
    double[] values = new double[n];
    int[] modes = new int[n];
    for (int i = 0; i < n; i++) {
      Split split = splits.get(i);
      columns[0][i] = split.feature;
      columns[1][i] = split.whenTrue < 0 ? ~split.whenTrue : split.whenTrue;
      columns[2][i] = split.whenFalse < 0 ? ~split.whenFalse : split.whenFalse;
      columns[3][i] = split.whenTrue < 0 ? 1 : 0;
      columns[4][i] = split.whenFalse < 0 ? 1 : 0;
      columns[5][i] = split.missingTrue ? 1 : 0;
      values[i] = split.value;
      modes[i] = split.mode;
    }
    double[] weights = new double[leaves];
    for (int leaf = 0; leaf < leaves; leaf++) {
      weights[leaf] = leaf;
    }
    return modes(
        operator("TreeEnsemble", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_featureids", columns[0])
            .integers("nodes_truenodeids", columns[1])
            .integers("nodes_falsenodeids", columns[2])
            .integers("nodes_trueleafs", columns[3])
            .integers("nodes_falseleafs", columns[4])
            .integers("nodes_missing_value_tracks_true", columns[5])
            .integers("tree_roots", roots.stream().mapToLong(Integer::longValue).toArray())
            .integers("leaf_targetids", new long[leaves])
            .add(5, new OnnxMessage().text(1, "nodes_splits").add(5, tensor(values)))
            .add(5, new OnnxMessage().text(1, "leaf_weights").add(5, tensor(weights))),
        modes);
  }
}
