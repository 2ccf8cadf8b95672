// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.FLOAT;
import static io.quickscorer.reader.onnx.OnnxModels.ensemble;
import static io.quickscorer.reader.onnx.OnnxModels.ensembleOf;
import static io.quickscorer.reader.onnx.OnnxModels.file;
import static io.quickscorer.reader.onnx.OnnxModels.modes;
import static io.quickscorer.reader.onnx.OnnxModels.operator;
import static io.quickscorer.reader.onnx.OnnxModels.raw;
import static io.quickscorer.reader.onnx.OnnxModels.read;
import static io.quickscorer.reader.onnx.OnnxModels.refused;
import static io.quickscorer.reader.onnx.OnnxModels.stump;
import static io.quickscorer.reader.onnx.OnnxModels.tensorOf;
import static io.quickscorer.reader.onnx.OnnxModels.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.input.BoundedInput;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The splits and rows of ONNX trees, and how such files are known. */
final class OnnxForestTest {
  private static OnnxMessage members(double... members) {
    OnnxMessage attribute = new OnnxMessage().text(1, "membership_values");
    return ensemble().add(5, attribute.add(5, tensorOf(members)));
  }

  @Test
  void splits() {
    refused("membership_values: node 0 has no values", modes(ensemble(), 6));
    refused("membership_values: node 0 has no values", modes(members(Double.NaN), 6));
    refused(
        "membership_values: found more lists than nodes of mode BRANCH_MEMBER",
        modes(members(1, Double.NaN, 2), 6));
    for (double[] some : new double[][] {{7}, {7, Double.NaN}, {3, 7, 0.5, Double.NaN}}) {
      TreeEnsemble ensemble = read(modes(members(some), 6));
      assertEquals(3, raw(ensemble, 0, 7));
      assertEquals(some.length < 3 ? 4 : 3, raw(ensemble, 0, 0.5f));
      assertEquals(4, raw(ensemble, 0, 6));
      assertEquals(4, raw(ensemble, 0, Float.NaN));
    }
    refused("node 0: mode 7, expected 0..6", modes(ensemble(), 7));
    refused("nodes_modes: found 2 elements, expected 1", modes(ensemble(), 0, 0));
    for (int mode = 0; mode < 6; mode++) {
      TreeEnsemble ensemble = read(modes(ensemble(), mode));
      float[] values = {Math.nextDown(0.5f), 0.5f, Math.nextUp(0.5f), Float.NaN};
      boolean[][] holds = {
        {true, true, false, false},
        {true, false, false, false},
        {false, true, true, false},
        {false, false, true, false},
        {false, true, false, false},
        {true, false, true, true}
      };
      for (int i = 0; i < values.length; i++) {
        assertEquals(
            holds[mode][i] ? 3 : 4, raw(ensemble, 0, values[i]), mode + " of " + values[i]);
      }
      TreeEnsemble tracked =
          read(modes(ensemble().integers("nodes_missing_value_tracks_true", 1), mode));
      assertEquals(3, raw(tracked, 0, Float.NaN));
    }
    refused(
        "nodes_missing_value_tracks_true: found 2 elements, expected 1",
        modes(ensemble().integers("nodes_missing_value_tracks_true", 1, 1), 0));
  }

  @Test
  void rows() {
    refused(
        "tree 0, node 0: child 3 of this node does not exist in the tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 2}, 3));
    refused(
        "tree 0, node 0: child -1 of this node does not exist in the tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 2}, -1));
    refused(
        "tree 0, node 1: node ids must be 0, 1, ... in each tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 1}, 1));
    refused(
        "tree 0, node 3: node ids must be 0, 1, ... in each tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 3}, 1));
    refused(
        "tree 0, node 2: the nodes of the tree are not consecutive",
        rows(new long[] {0, 1, 0}, new long[] {0, 0, 2}, 1));
  }

  @Test
  void detection() {
    byte[] whole = file(FLOAT, 2, stump("x", "y"));
    assertTrue(OnnxGraph.recognises(BoundedInput.ofPlain(whole)));
    for (int version : new int[] {0, 101}) {
      byte[] other = whole.clone();
      other[1] = (byte) version;
      assertFalse(OnnxGraph.recognises(BoundedInput.ofPlain(other)));
    }
    for (int version : new int[] {1, 100}) {
      byte[] other = whole.clone();
      other[1] = (byte) version;
      assertTrue(OnnxGraph.recognises(BoundedInput.ofPlain(other)));
    }
    byte[] noGraph = new OnnxMessage().number(1, 8).text(2, "p").toBytes();
    assertFalse(OnnxGraph.recognises(BoundedInput.ofPlain(noGraph)));
    refused("the file ends without a graph", noGraph);
    byte[] named =
        new OnnxMessage()
            .number(1, 8)
            .text(2, "p")
            .add(7, new OnnxMessage().text(2, "g"))
            .toBytes();
    assertTrue(
        OnnxGraph.recognises(BoundedInput.ofPlain(Arrays.copyOf(named, named.length - 1))), "cut");
    assertFalse(
        OnnxGraph.recognises(BoundedInput.ofPlain(Arrays.copyOf(whole, whole.length - 1))),
        "cut, but no producer");
  }

  private static OnnxMessage rows(long[] trees, long[] ids, long child) {
    return operator("TreeEnsembleRegressor", "x", "y")
        .integer("n_targets", 1)
        .integers("nodes_treeids", trees)
        .integers("nodes_nodeids", ids)
        .integers("nodes_featureids", 0, 0, 0)
        .floats("nodes_values", 0.5, 0, 0)
        .texts("nodes_modes", "BRANCH_LEQ", "LEAF", "LEAF")
        .integers("nodes_truenodeids", child, 0, 0)
        .integers("nodes_falsenodeids", 2, 0, 0)
        .integers("target_treeids", 0, 0)
        .integers("target_nodeids", 1, 2)
        .floats("target_weights", 3, 4);
  }

  private static String refusal(byte[] file, EnsembleLimits limits) {
    InvalidModelException e =
        assertThrows(
            InvalidModelException.class,
            () -> ModelReader.read(file, ModelFormats.of("onnx"), limits));
    return String.valueOf(e.getMessage()).replaceFirst("^byte \\d+: ", "");
  }

  @Test
  void limits() {
    byte[] stump = file(FLOAT, 2, stump("x", "y"));
    assertEquals(
        "tree 0: leaves: 2, at most 1 allowed",
        refusal(stump, new EnsembleLimits(9, 1, 9, 9, 9, 9)));
    assertEquals(
        "trees: 1, at most 0 allowed", refusal(stump, new EnsembleLimits(0, 9, 9, 9, 9, 9)));
    assertEquals(
        "trees: 1, at most 0 allowed",
        refusal(file(FLOAT, 2, modes(ensemble(), 0)), new EnsembleLimits(0, 9, 9, 9, 9, 9)));
    EnsembleLimits tight = new EnsembleLimits(1, 2, 1, 2, 3, 0);
    assertEquals(1, ModelReader.read(stump, ModelFormats.of("onnx"), tight).trees().size());
  }

  @Test
  void graphsOfTooMuch() {
    String said = "the graph has more than 10000 operators or 100000 values";
    OnnxMessage[] nodes = new OnnxMessage[10_001];
    Arrays.fill(nodes, new OnnxMessage().text(4, "Newest"));
    nodes[0] = stump("x", "y");
    refused(said, nodes);
    assertEquals(3, raw(read(Arrays.copyOf(nodes, 10_000)), 0, 0));
    OnnxMessage graph = new OnnxMessage().add(1, stump("x", "y"));
    for (int i = 0; i < 99_998; i++) {
      graph.add(11, new OnnxMessage().text(1, "i" + i));
    }
    graph.add(11, value("x", FLOAT, 2)).add(12, value("y", FLOAT, 1));
    assertEquals(3, raw(read(file(graph)), 0, 0));
    refused(said, file(graph.add(12, new OnnxMessage().text(1, "z"))));
    OnnxMessage wide = new OnnxMessage();
    for (int i = 0; i < 100_001; i++) {
      wide.text(1, "");
    }
    refused("found more than 100000 inputs, outputs and attributes", wide);
  }

  @Test
  void brokenForests() {
    refused(
        "node 0: the node compares with NaN, expected a number",
        modes(ensembleOf(0, Double.NaN, 0, 1), 0));
    refused("tree_roots: tree 0 has root 1, expected 0..0", modes(ensembleOf(1, 0, 0, 1), 0));
    refused("tree_roots: tree 0 has root -1, expected 0..0", modes(ensembleOf(-1, 0, 0, 1), 0));
    refused("node 0: child 2, expected 0..1", modes(ensembleOf(0, 0, 2, 1), 0));
    refused("node 0: child -1, expected 0..1", modes(ensembleOf(0, 0, 0, -1), 0));
    TreeEnsemble leaf = read(modes(ensembleOf(0, 0, 0, 0), 0));
    assertEquals(0, leaf.trees().getFirst().splits(), "so a tree of one leaf is written");
    assertEquals(3, raw(leaf, 0, 0));
    refused(
        "tree_roots: tree 0 consists only of leaf 1, but ONNX Runtime would use leaf 0; export the"
            + " model for ai.onnx.ml 3",
        modes(ensembleOf(0, 0, 1, 1), 0));
    refused(
        "attribute: another attribute has the same name", stump("x", "y").integer("n_targets", 1));
    refused(
        "nodes_featureids: 2147483648, expected an integer of 32 bits",
        operator("TreeEnsembleRegressor", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_featureids", 1L << 31));
  }
}
