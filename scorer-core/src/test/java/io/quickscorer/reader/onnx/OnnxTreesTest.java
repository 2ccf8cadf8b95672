// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.modes;
import static io.quickscorer.reader.onnx.OnnxModels.operator;
import static io.quickscorer.reader.onnx.OnnxModels.raw;
import static io.quickscorer.reader.onnx.OnnxModels.read;
import static io.quickscorer.reader.onnx.OnnxModels.refused;
import static io.quickscorer.reader.onnx.OnnxModels.tensorOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How far the trees of a file may unfold: all together, not each for itself. */
final class OnnxTreesTest {
  private static final int LEQ = 0;
  private static final int EQ = 4;

  private static double[] upTo(int end) {
    return IntStream.range(0, end).asDoubleStream().toArray();
  }

  /**
   * Trees over one chain of splits of feature 1: the true child of split i is a leaf of weight i,
   * the false one the next split, the last one's a leaf of weight -1.
   *
   * @param values each split's
   * @param roots each tree's first split
   */
  private static OnnxMessage chains(int mode, double[] values, long... roots) {
    int splits = values.length;
    long[] ones = new long[splits];
    Arrays.fill(ones, 1);
    long[] lastOnly = new long[splits];
    lastOnly[splits - 1] = 1;
    int[] allModes = new int[splits];
    Arrays.fill(allModes, mode);
    double[] leaves = upTo(splits + 1);
    leaves[splits] = -1;
    OnnxMessage chains =
        operator("TreeEnsemble", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_featureids", ones)
            .integers("nodes_truenodeids", IntStream.range(0, splits).asLongStream().toArray())
            .integers(
                "nodes_falsenodeids", IntStream.rangeClosed(1, splits).asLongStream().toArray())
            .integers("nodes_trueleafs", ones)
            .integers("nodes_falseleafs", lastOnly)
            .integers("tree_roots", roots)
            .integers("leaf_targetids", new long[splits + 1])
            .add(5, new OnnxMessage().text(1, "nodes_splits").add(5, tensorOf(values)))
            .add(5, new OnnxMessage().text(1, "leaf_weights").add(5, tensorOf(leaves)));
    return modes(chains, allModes);
  }

  @Test
  void oneTreeOfManyEqualities() {
    TreeEnsemble ensemble = read(chains(EQ, upTo(1_000), 0));
    assertEquals(0, raw(ensemble, 9, 0));
    assertEquals(500, raw(ensemble, 9, 500));
    assertEquals(999, raw(ensemble, 9, 999));
    assertEquals(-1, raw(ensemble, 9, 500.5f));
    assertEquals(-1, raw(ensemble, 9, Float.NaN));
  }

  @Test
  void treesThatShareSplits() {
    TreeEnsemble two = read(chains(LEQ, upTo(3), 0, 1));
    assertEquals(2 + 2, raw(two, 9, 1.5f));
    assertEquals(0 + 1, raw(two, 9, 0));
    // 3 nodes each, of which 16,384 and 5 per split and 2 leaves are left.
    refused(
        "tree 5463: its equalities and shared nodes unfold to too many nodes",
        chains(LEQ, upTo(1), new long[100_000]));
    refused(
        "tree 5: its equalities and shared nodes unfold to too many nodes",
        chains(LEQ, upTo(4_000), new long[5_000]));
  }

  @Test
  void equalitiesThatCannotHold() {
    // What is below the value of one is passed by all that follow.
    refused(
        "tree 0: its equalities and shared nodes take too many steps to unfold",
        chains(EQ, upTo(20_000), 0));
    // Each tree has two splits, and passes the others on both sides.
    refused(
        "tree 66: its equalities and shared nodes take too many steps to unfold",
        chains(EQ, new double[20_000], new long[1_000]));
  }
}
