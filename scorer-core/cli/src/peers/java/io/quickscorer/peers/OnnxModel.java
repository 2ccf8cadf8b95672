// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.peers;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * Writes an ensemble as an ONNX model of one node, a {@code TreeEnsembleRegressor} (domain {@code
 * ai.onnx.ml}, version 3): input {@value #INPUT}, a float matrix of one row per document; output
 * {@value #OUTPUT}, one float per row.
 *
 * <p>Our thresholds are floats that decide {@code x <= threshold} as the trainer does, which is
 * what {@code BRANCH_LEQ} tests, so that converted trees reach the same leaves. A tree's splits
 * keep their numbers, its leaves follow them.
 *
 * <p>Field numbers are those of {@code onnx.proto}, IR version 8.
 */
final class OnnxModel {
  static final String INPUT = "features";
  static final String OUTPUT = "scores";

  private static final int IR_VERSION = 8;
  private static final int OPERATORS_VERSION = 17;
  private static final int TREES_VERSION = 3;
  private static final int FLOAT = 1;

  private final TreeEnsemble ensemble;
  private final boolean missing;
  private final int[] treeIds;
  private final int[] nodeIds;
  private final int[] features;
  private final float[] thresholds;
  private final int[] left;
  private final int[] right;
  private final int[] missingLeft;
  private final boolean[] isLeaf;
  private final int[] leafTrees;
  private final int[] leafNodes;
  private final float[] leaves;

  private OnnxModel(TreeEnsemble ensemble, boolean missing) {
    this.ensemble = ensemble;
    this.missing = missing;
    int leafCount = (int) ensemble.shape().leaves();
    int nodes = Math.addExact((int) ensemble.shape().splits(), leafCount);
    treeIds = new int[nodes];
    nodeIds = new int[nodes];
    features = new int[nodes];
    thresholds = new float[nodes];
    left = new int[nodes];
    right = new int[nodes];
    missingLeft = new int[nodes];
    isLeaf = new boolean[nodes];
    leafTrees = new int[leafCount];
    leafNodes = new int[leafCount];
    leaves = new float[leafCount];
  }

  /**
   * The model's bytes.
   *
   * @param missing whether documents may have missing values; without them the library is spared
   *     looking for any
   */
  static byte[] write(TreeEnsemble ensemble, boolean missing) {
    Conversion.check("onnxruntime", ensemble);
    OnnxModel model = new OnnxModel(ensemble, missing);
    model.collect();
    return model.model().toByteArray();
  }

  private void collect() {
    int node = 0;
    int leaf = 0;
    int number = 0;
    for (Tree tree : ensemble.trees()) {
      for (int split = 0; split < tree.splits(); split++, node++) {
        treeIds[node] = number;
        nodeIds[node] = split;
        features[node] = tree.feature(split);
        thresholds[node] = tree.threshold(split);
        left[node] = id(tree, tree.left(split));
        right[node] = id(tree, tree.right(split));
        missingLeft[node] = tree.missing(split).left() ? 1 : 0;
      }
      for (int l = 0; l < tree.leaves(); l++, node++, leaf++) {
        treeIds[node] = number;
        nodeIds[node] = tree.splits() + l;
        isLeaf[node] = true;
        leafTrees[leaf] = number;
        leafNodes[leaf] = nodeIds[node];
        leaves[leaf] = Conversion.leaf(ensemble, tree, l);
      }
      number++;
    }
  }

  private static int id(Tree tree, int child) {
    return child >= 0 ? child : tree.splits() + ~child;
  }

  private Protobuf model() {
    return new Protobuf()
        .integer(1, IR_VERSION)
        .message(7, graph())
        .message(8, operators("", OPERATORS_VERSION))
        .message(8, operators("ai.onnx.ml", TREES_VERSION));
  }

  private static Protobuf operators(String domain, int version) {
    return new Protobuf().string(1, domain).integer(2, version);
  }

  private Protobuf graph() {
    return new Protobuf()
        .message(1, node())
        .string(2, "trees")
        .message(11, matrix(INPUT, ensemble.featureNames().size()))
        .message(12, matrix(OUTPUT, 1));
  }

  /** A value of any number of rows and so many columns. */
  private static Protobuf matrix(String name, int columns) {
    Protobuf shape =
        new Protobuf()
            .message(1, new Protobuf().string(2, "documents"))
            .message(1, new Protobuf().integer(1, columns));
    Protobuf tensor = new Protobuf().integer(1, FLOAT).message(2, shape);
    return new Protobuf().string(1, name).message(2, new Protobuf().message(1, tensor));
  }

  private Protobuf node() {
    Protobuf node =
        new Protobuf()
            .string(1, INPUT)
            .string(2, OUTPUT)
            .string(4, "TreeEnsembleRegressor")
            .string(7, "ai.onnx.ml")
            .message(5, integer("n_targets", 1))
            .message(5, text("aggregate_function", "SUM"))
            .message(5, text("post_transform", "NONE"))
            .message(5, floats("base_values", new float[] {Conversion.base(ensemble)}))
            .message(5, integers("nodes_treeids", treeIds))
            .message(5, integers("nodes_nodeids", nodeIds))
            .message(5, integers("nodes_featureids", features))
            .message(5, floats("nodes_values", thresholds))
            .message(5, modes())
            .message(5, integers("nodes_truenodeids", left))
            .message(5, integers("nodes_falsenodeids", right))
            .message(5, integers("target_treeids", leafTrees))
            .message(5, integers("target_nodeids", leafNodes))
            .message(5, integers("target_ids", new int[leaves.length]))
            .message(5, floats("target_weights", leaves));
    return missing
        ? node.message(5, integers("nodes_missing_value_tracks_true", missingLeft))
        : node;
  }

  private static Protobuf attribute(String name, int type) {
    return new Protobuf().string(1, name).integer(20, type);
  }

  private static Protobuf integer(String name, int value) {
    return attribute(name, 2).integer(3, value);
  }

  private static Protobuf text(String name, String value) {
    return attribute(name, 3).string(4, value);
  }

  private static Protobuf floats(String name, float[] values) {
    return attribute(name, 6).floats(7, values);
  }

  private static Protobuf integers(String name, int[] values) {
    return attribute(name, 7).integers(8, values);
  }

  private Protobuf modes() {
    Protobuf modes = attribute("nodes_modes", 8);
    for (boolean leaf : isLeaf) {
      modes.string(9, leaf ? "LEAF" : "BRANCH_LEQ");
    }
    return modes;
  }
}
