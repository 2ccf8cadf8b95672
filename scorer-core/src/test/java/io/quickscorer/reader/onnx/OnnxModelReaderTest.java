// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What surrounds the trees of an ONNX file, and files that are refused. */
final class OnnxModelReaderTest {
  private static OnnxMessage operator(String type, String input, String output) {
    return new OnnxMessage().text(1, input).text(2, output).text(4, type);
  }

  /** One tree of one split on feature 0, with what else its tree operator shall have. */
  private static OnnxMessage stump(String input, String output) {
    return operator("TreeEnsembleRegressor", input, output)
        .integer("n_targets", 1)
        .integers("nodes_treeids", 0, 0, 0)
        .integers("nodes_nodeids", 0, 1, 2)
        .integers("nodes_featureids", 0, 0, 0)
        .floats("nodes_values", 0.5, 0, 0)
        .texts("nodes_modes", "BRANCH_LEQ", "LEAF", "LEAF")
        .integers("nodes_truenodeids", 1, 0, 0)
        .integers("nodes_falsenodeids", 2, 0, 0)
        .integers("target_treeids", 0, 0)
        .integers("target_nodeids", 1, 2)
        .floats("target_weights", 3, 4);
  }

  private static OnnxMessage value(String name, int columns) {
    OnnxMessage shape =
        new OnnxMessage()
            .add(1, new OnnxMessage().text(2, "N"))
            .add(1, new OnnxMessage().number(1, columns));
    OnnxMessage tensor = new OnnxMessage().number(1, 1).add(2, shape);
    return new OnnxMessage().text(1, name).add(2, new OnnxMessage().add(1, tensor));
  }

  private static byte[] file(OnnxMessage... nodes) {
    OnnxMessage graph = new OnnxMessage();
    for (OnnxMessage node : nodes) {
      graph.add(1, node);
    }
    graph.add(11, value("x", 2)).add(12, value("y", 1));
    return new OnnxMessage().number(1, 8).text(2, "tester").add(7, graph).toBytes();
  }

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static void refused(String said, OnnxMessage... nodes) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file(nodes)));
    assertTrue(String.valueOf(e.getMessage()).contains(said), e.getMessage());
  }

  @Test
  void plain() {
    TreeEnsemble ensemble = read(file(stump("x", "y")));
    assertEquals(List.of("f0", "f1"), ensemble.featureNames());
    assertEquals("exported by tester", ensemble.source().notes().getFirst());
    assertEquals(4, ensemble.trees().getFirst().leafValue(1));
  }

  @Test
  void operatorsAround() {
    TreeEnsemble ensemble =
        read(file(operator("Identity", "x", "a"), stump("a", "b"), operator("Exp", "b", "y")));
    assertEquals(Kind.EXP_FLOAT, ensemble.transform().kind());
    refused(
        "Scaler: offset: found 0 numbers, expected 1 or 2",
        operator("Scaler", "x", "a"),
        stump("a", "y"));
    refused(
        "operator Newest before the trees is not supported",
        operator("Newest", "x", "a"),
        stump("a", "y"));
    refused(
        "operator ??script?N before the trees is not supported",
        operator("\n<script>N", "x", "a"),
        stump("a", "y"));
    refused("Clip after the trees", stump("x", "a"), operator("Clip", "a", "y"));
    refused("one constant number", stump("x", "a"), operator("Mul", "a", "y"));
    refused(
        "the score is transformed twice",
        stump("x", "a"),
        operator("Exp", "a", "b"),
        operator("Sigmoid", "b", "y"));
    refused(
        "several operators read the score, expected one",
        stump("x", "a"),
        operator("Exp", "a", "y"),
        operator("Exp", "a", "z"));
    refused("the score is not an output", stump("x", "a"));
    refused(
        "an input of an operator is neither another operator's output nor an input of the graph",
        stump("q", "y"));
    refused(
        "found more than 64 consecutive operators",
        operator("Identity", "a", "a"),
        stump("a", "y"));
  }

  @Test
  void columnsOfTheirOwnNames() {
    OnnxMessage graph =
        new OnnxMessage()
            .add(
                1, new OnnxMessage().text(1, "price").text(1, "age").text(2, "x").text(4, "Concat"))
            .add(1, stump("x", "y"))
            .add(11, value("price", 1))
            .add(11, value("age", 1))
            .add(12, value("y", 1));
    TreeEnsemble ensemble = read(new OnnxMessage().number(1, 8).add(7, graph).toBytes());
    assertEquals(List.of("price", "age"), ensemble.featureNames());
  }

  @Test
  void severalOutputs() {
    OnnxMessage two = operator("TreeEnsembleRegressor", "x", "y").integer("n_targets", 2);
    refused("n_targets 2: several outputs", two);
    refused("target_ids: 4, expected 0..0", stump("x", "y").integers("target_ids", 0, 4));
    OnnxMessage classifier =
        operator("TreeEnsembleClassifier", "x", "l")
            .text(2, "y")
            .integers("classlabels_int64s", 0, 1, 2);
    refused("classes 3: several outputs", classifier);
    refused(
        "the graph has 0 tree operators, expected one; it has Gemm", operator("Gemm", "x", "y"));
    refused(
        "expected one; it has A?, B, C, D, E, F, G, H",
        Stream.of("A\n", "B", "C", "B", "D", "E", "F", "G", "H", "I")
            .map(name -> operator(name, "x", "y"))
            .toArray(OnnxMessage[]::new));
    refused("the graph has 2 tree operators", stump("x", "a"), stump("a", "y"));
  }

  /** Equalities on one feature after the other double the tree with each: that is bounded. */
  @Test
  void equalitiesThatUnfold() {
    int depth = 40;
    int n = 2 * depth + 1;
    long[] ids = new long[n];
    Arrays.setAll(ids, i -> i);
    long[] features = new long[n];
    long[] whenTrue = new long[n];
    long[] whenFalse = new long[n];
    String[] modes = new String[n];
    Arrays.fill(modes, "LEAF");
    for (int i = 0; i < depth; i++) {
      features[2 * i] = i;
      whenTrue[2 * i] = 2 * i + 1;
      whenFalse[2 * i] = 2 * i + 2;
      modes[2 * i] = "BRANCH_EQ";
    }
    long[] leaves = Arrays.stream(ids).filter(i -> i % 2 == 1 || i == n - 1).toArray();
    OnnxMessage deep =
        operator("TreeEnsembleRegressor", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_treeids", new long[n])
            .integers("nodes_nodeids", ids)
            .integers("nodes_featureids", features)
            .floats("nodes_values", new double[n])
            .texts("nodes_modes", modes)
            .integers("nodes_truenodeids", whenTrue)
            .integers("nodes_falsenodeids", whenFalse)
            .integers("target_treeids", new long[leaves.length])
            .integers("target_nodeids", leaves)
            .floats("target_weights", new double[leaves.length]);
    refused("tree 0: leaves: 65537, at most 65536 allowed", deep);
  }

  @Test
  void transforms() {
    TreeEnsemble logistic = read(file(stump("x", "y").text("post_transform", "LOGISTIC")));
    assertEquals(Kind.LOGISTIC_FLOAT, logistic.transform().kind());
    assertTrue(logistic.source().notes().getLast().contains("ONNX Runtime ignores it"));
    refused("post_transform: only", stump("x", "y").text("post_transform", "PROBIT"));
    refused(
        "aggregate_function: expected SUM", stump("x", "y").text("aggregate_function", "MEDIAN"));
    refused("base_values: found 2", stump("x", "y").floats("base_values", 1, 2));
  }

  private static OnnxMessage tree(long[] whenTrue, long[] whenFalse, String... modes) {
    long[] zeros = new long[modes.length];
    long[] ids = new long[modes.length];
    Arrays.setAll(ids, i -> i);
    return operator("TreeEnsembleRegressor", "x", "y")
        .integer("n_targets", 1)
        .integers("nodes_treeids", zeros)
        .integers("nodes_nodeids", ids)
        .integers("nodes_featureids", zeros)
        .floats("nodes_values", new double[modes.length])
        .texts("nodes_modes", modes)
        .integers("nodes_truenodeids", whenTrue)
        .integers("nodes_falsenodeids", whenFalse);
  }

  /** A set of categories as onnxmltools writes LightGBM's: each member leads to one same split. */
  @Test
  void sharedSplits() {
    long[] tree = new long[7];
    OnnxMessage nodes =
        operator("TreeEnsembleRegressor", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_treeids", tree)
            .integers("nodes_nodeids", 0, 1, 2, 3, 4, 5, 6)
            .integers("nodes_featureids", 0, 0, 0, 1, 0, 0, 0)
            .floats("nodes_values", 2, 3, 4, 0.5, 0, 0, 0)
            .texts(
                "nodes_modes",
                "BRANCH_EQ",
                "BRANCH_EQ",
                "BRANCH_EQ",
                "BRANCH_LEQ",
                "LEAF",
                "LEAF",
                "LEAF")
            .integers("nodes_truenodeids", 3, 3, 3, 4, 0, 0, 0)
            .integers("nodes_falsenodeids", 1, 2, 6, 5, 0, 0, 0)
            .integers("target_treeids", 0, 0, 0)
            .integers("target_nodeids", 4, 5, 6)
            .floats("target_weights", 10, 20, 30);
    TreeEnsemble ensemble = read(file(nodes));
    for (float x : new float[] {2, 3, 4}) {
      assertEquals(10, SmallModels.score(ensemble, x, 0.5f));
      assertEquals(20, SmallModels.score(ensemble, x, 0.75f));
      assertEquals(30, SmallModels.score(ensemble, Math.nextUp(x), 0.5f));
      assertEquals(30, SmallModels.score(ensemble, Math.nextDown(x), 0.5f));
    }
    assertEquals(30, SmallModels.score(ensemble, Float.NaN, 0.5f));
    assertEquals(30, SmallModels.score(ensemble, Float.POSITIVE_INFINITY, 0.5f));
  }

  /** Each split leads to the next one twice: 2^40 ways to the leaf. */
  @Test
  void sharedSplitsWithoutEnd() {
    int splits = 40;
    long[] tree = new long[splits + 1];
    long[] next = new long[splits + 1];
    long[] ids = new long[splits + 1];
    double[] values = new double[splits + 1];
    String[] modes = new String[splits + 1];
    Arrays.setAll(ids, i -> i);
    Arrays.setAll(next, i -> i == splits ? 0 : i + 1);
    Arrays.setAll(values, i -> i);
    Arrays.fill(modes, "BRANCH_LEQ");
    modes[splits] = "LEAF";
    refused(
        "tree 0: leaves: 65537, at most 65536 allowed",
        operator("TreeEnsembleRegressor", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_treeids", tree)
            .integers("nodes_nodeids", ids)
            .integers("nodes_featureids", tree)
            .floats("nodes_values", values)
            .texts("nodes_modes", modes)
            .integers("nodes_truenodeids", next)
            .integers("nodes_falsenodeids", next)
            .integers("target_treeids", 0)
            .integers("target_nodeids", splits)
            .floats("target_weights", 1));
  }

  @Test
  void brokenTrees() {
    long[] zeros = {0, 0, 0};
    long[] one = {0};
    refused(
        "the split is its own descendant",
        tree(new long[] {1, 0}, new long[] {1, 0}, "BRANCH_LT", "BRANCH_LT"));
    refused(
        "child 7 of this node does not exist in the tree", tree(new long[] {7}, one, "BRANCH_LT"));
    refused("nodes_falsenodeids: found 3 elements, expected 1", tree(one, zeros, "BRANCH_LT"));
    refused("the leaf has no weight", tree(zeros, zeros, "LEAF", "LEAF", "LEAF"));
    refused("BRANCH_MEMBER", tree(one, one, "BRANCH_MEMBER"));
    refused("nodes_modes: expected one of", tree(one, one, "BRANCH_UP"));
    refused(
        "the leaf has several weights",
        tree(one, one, "LEAF")
            .integers("target_treeids", 0, 0)
            .integers("target_nodeids", 0, 0)
            .floats("target_weights", 1, 2));
    refused("0 trees", tree(new long[0], new long[0]));
  }
}
