// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.SmallModels.score;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;

/** Small ONNX files, and what tests do with them. */
final class OnnxModels {
  static final int FLOAT = 1;
  static final int INT32 = 6;
  static final int INT64 = 7;
  static final int STRING = 8;
  static final int DOUBLE = 11;

  private OnnxModels() {}

  static OnnxMessage operator(String type, String input, String output) {
    return new OnnxMessage().text(1, input).text(2, output).text(4, type);
  }

  /** Up to 0.5 of feature 1 is 3, else 4, which is all a tree of a stump's columns says. */
  static OnnxMessage columns(OnnxMessage node, String votes) {
    return node.integers("nodes_treeids", 0, 0, 0)
        .integers("nodes_nodeids", 0, 1, 2)
        .integers("nodes_featureids", 1, 0, 0)
        .floats("nodes_values", 0.5, 0, 0)
        .texts("nodes_modes", "BRANCH_LEQ", "LEAF", "LEAF")
        .integers("nodes_truenodeids", 1, 0, 0)
        .integers("nodes_falsenodeids", 2, 0, 0)
        .integers(votes + "_treeids", 0, 0)
        .integers(votes + "_nodeids", 1, 2)
        .floats(votes + "_weights", 3, 4);
  }

  static OnnxMessage stump(String input, String output) {
    return columns(
        operator("TreeEnsembleRegressor", input, output).integer("n_targets", 1), "target");
  }

  static OnnxMessage classifier() {
    return columns(
        operator("TreeEnsembleClassifier", "x", "label")
            .text(2, "y")
            .integers("classlabels_int64s", 0, 1)
            .integers("class_ids", 0, 0),
        "class");
  }

  static OnnxMessage tensorOf(double... values) {
    return new OnnxMessage().number(2, FLOAT).floats(4, values);
  }

  /** The same stump as an operator of ai.onnx.ml 5. */
  static OnnxMessage ensemble(long... targets) {
    return ensembleOf(0, 0.5, 0, 1, targets);
  }

  /** One split on feature 1, whose children are leaves. */
  static OnnxMessage ensembleOf(
      long root, double value, long whenTrue, long whenFalse, long... targets) {
    return operator("TreeEnsemble", "x", "y")
        .integer("n_targets", 1)
        .integers("nodes_featureids", 1)
        .integers("nodes_truenodeids", whenTrue)
        .integers("nodes_falsenodeids", whenFalse)
        .integers("nodes_trueleafs", 1)
        .integers("nodes_falseleafs", 1)
        .integers("tree_roots", root)
        .integers("leaf_targetids", targets)
        .add(5, new OnnxMessage().text(1, "nodes_splits").add(5, tensorOf(value)))
        .add(5, new OnnxMessage().text(1, "leaf_weights").add(5, tensorOf(3, 4)));
  }

  static OnnxMessage modes(OnnxMessage node, int... modes) {
    byte[] raw = new byte[modes.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = (byte) modes[i];
    }
    OnnxMessage tensor = new OnnxMessage().number(2, 2).bytes(9, raw);
    return node.add(5, new OnnxMessage().text(1, "nodes_modes").add(5, tensor));
  }

  static OnnxMessage value(String name, int type, int columns) {
    OnnxMessage shape =
        new OnnxMessage()
            .add(1, new OnnxMessage().text(2, "N"))
            .add(
                1,
                columns == 0
                    ? new OnnxMessage().text(2, "M")
                    : new OnnxMessage().number(1, columns));
    OnnxMessage tensor = new OnnxMessage().number(1, type).add(2, shape);
    return new OnnxMessage().text(1, name).add(2, new OnnxMessage().add(1, tensor));
  }

  static byte[] file(OnnxMessage graph) {
    return new OnnxMessage().number(1, 8).text(3, "1.2").add(7, graph).toBytes();
  }

  static byte[] file(int type, int width, OnnxMessage... nodes) {
    OnnxMessage graph = new OnnxMessage();
    for (OnnxMessage node : nodes) {
      graph.add(1, node);
    }
    return file(graph.add(11, value("x", type, width)).add(12, value("y", FLOAT, 1)));
  }

  static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormats.of("onnx"), EnsembleLimits.DEFAULT);
  }

  static TreeEnsemble read(OnnxMessage... nodes) {
    return read(file(FLOAT, 2, nodes));
  }

  static void refused(String message, byte[] file) {
    String said =
        String.valueOf(assertThrows(InvalidModelException.class, () -> read(file)).getMessage());
    assertEquals(message, said.replaceFirst("^byte \\d+: ", ""));
  }

  static void refused(String message, OnnxMessage... nodes) {
    refused(message, file(FLOAT, 2, nodes));
  }

  static double raw(TreeEnsemble ensemble, float... values) {
    return score(ensemble, values);
  }
}
