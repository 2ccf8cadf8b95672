package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.score;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an ONNX file may hold around its trees and in them, and refusals word by word. */
final class OnnxPlacesTest {
  private static final int FLOAT = 1;
  private static final int INT32 = 6;
  private static final int INT64 = 7;
  private static final int STRING = 8;
  private static final int DOUBLE = 11;

  private static OnnxMessage operator(String type, String input, String output) {
    return new OnnxMessage().text(1, input).text(2, output).text(4, type);
  }

  /** Up to 0.5 of feature 1 is 3, else 4, which is all a tree of a stump's columns says. */
  private static OnnxMessage columns(OnnxMessage node, String votes) {
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

  private static OnnxMessage stump(String input, String output) {
    return columns(
        operator("TreeEnsembleRegressor", input, output).integer("n_targets", 1), "target");
  }

  private static OnnxMessage classifier() {
    return columns(
        operator("TreeEnsembleClassifier", "x", "label")
            .text(2, "y")
            .integers("classlabels_int64s", 0, 1)
            .integers("class_ids", 0, 0),
        "class");
  }

  private static OnnxMessage tensorOf(double... values) {
    return new OnnxMessage().number(2, FLOAT).floats(4, values);
  }

  /** The same stump as an operator of ai.onnx.ml 5. */
  private static OnnxMessage ensemble(long... targets) {
    return operator("TreeEnsemble", "x", "y")
        .integer("n_targets", 1)
        .integers("nodes_featureids", 1)
        .integers("nodes_truenodeids", 0)
        .integers("nodes_falsenodeids", 1)
        .integers("nodes_trueleafs", 1)
        .integers("nodes_falseleafs", 1)
        .integers("tree_roots", 0)
        .integers("leaf_targetids", targets)
        .add(5, new OnnxMessage().text(1, "nodes_splits").add(5, tensorOf(0.5)))
        .add(5, new OnnxMessage().text(1, "leaf_weights").add(5, tensorOf(3, 4)));
  }

  private static OnnxMessage modes(OnnxMessage node, int... modes) {
    byte[] raw = new byte[modes.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = (byte) modes[i];
    }
    OnnxMessage tensor = new OnnxMessage().number(2, 2).bytes(9, raw);
    return node.add(5, new OnnxMessage().text(1, "nodes_modes").add(5, tensor));
  }

  private static OnnxMessage value(String name, int type, int columns) {
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

  private static byte[] file(OnnxMessage graph) {
    return new OnnxMessage().number(1, 8).text(3, "1.2").add(7, graph).toBytes();
  }

  private static byte[] file(int type, int width, OnnxMessage... nodes) {
    OnnxMessage graph = new OnnxMessage();
    for (OnnxMessage node : nodes) {
      graph.add(1, node);
    }
    return file(graph.add(11, value("x", type, width)).add(12, value("y", FLOAT, 1)));
  }

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.ONNX, EnsembleLimits.DEFAULT);
  }

  private static TreeEnsemble read(OnnxMessage... nodes) {
    return read(file(FLOAT, 2, nodes));
  }

  private static void refused(String message, byte[] file) {
    String said =
        String.valueOf(assertThrows(InvalidModelException.class, () -> read(file)).getMessage());
    assertEquals(message, said.replaceFirst("^byte \\d+: ", ""));
  }

  private static void refused(String message, OnnxMessage... nodes) {
    refused(message, file(FLOAT, 2, nodes));
  }

  private static OnnxMessage constant(String name, double... values) {
    return tensorOf(values).text(8, name);
  }

  /** The raw score 3 or 4 of the stump with an operator after it. */
  private static double after(OnnxMessage operator, OnnxMessage... constants) {
    OnnxMessage graph = new OnnxMessage().add(1, stump("x", "a")).add(1, operator);
    for (OnnxMessage constant : constants) {
      graph.add(5, constant);
    }
    graph.add(11, value("x", FLOAT, 2)).add(12, value("y", FLOAT, 1));
    return raw(read(file(graph)), 0, 0);
  }

  private static double raw(TreeEnsemble ensemble, float... values) {
    return score(ensemble, values);
  }

  private static OnnxMessage binary(String type, String first, String second) {
    return new OnnxMessage().text(1, first).text(1, second).text(2, "y").text(4, type);
  }

  @Test
  void forms() {
    for (TreeEnsemble form :
        List.of(read(stump("x", "y")), read(classifier()), read(modes(ensemble(), 0)))) {
      assertEquals(3, raw(form, 0, 0.5f));
      assertEquals(4, raw(form, 0, 0.6f));
      assertEquals(4, raw(form, 0, Float.NaN));
      assertEquals(Accumulator.FLOAT, form.accumulator());
      assertEquals(OutputTransform.IDENTITY, form.transform());
      assertEquals("1.2", form.source().version());
      assertEquals(1, form.source().notes().size());
    }
  }

  @Test
  void types() {
    for (int type : new int[] {FLOAT, INT32, INT64}) {
      TreeEnsemble ensemble = read(file(type, 2, stump("x", "y")));
      assertEquals(Accumulator.FLOAT, ensemble.accumulator());
      assertTrue(ensemble.source().notes().getFirst().startsWith("thresholds, leaves and sums"));
    }
    TreeEnsemble doubles = read(file(DOUBLE, 2, stump("x", "y")));
    assertEquals(Accumulator.DOUBLE, doubles.accumulator());
    assertEquals(List.of("ONNX Runtime rounds the score to float"), doubles.source().notes());
    OnnxMessage cast = operator("Cast", "x", "a");
    assertEquals(Accumulator.FLOAT, read(file(DOUBLE, 2, cast, stump("a", "y"))).accumulator());
    OnnxMessage toDouble = operator("Cast", "x", "a").integer("to", DOUBLE);
    assertEquals(Accumulator.DOUBLE, read(file(FLOAT, 2, toDouble, stump("a", "y"))).accumulator());
    refused("input of element type 8, expected numbers", file(STRING, 2, stump("x", "y")));
  }

  @Test
  void widths() {
    assertEquals(List.of("f0", "f1", "f2"), read(file(FLOAT, 3, stump("x", "y"))).featureNames());
    assertEquals(List.of("f0", "f1"), read(file(FLOAT, 0, stump("x", "y"))).featureNames());
    refused("tree 0, node 0: feature 1, expected 0..0", file(FLOAT, 1, stump("x", "y")));
    refused("features: 100001, at most 100000 allowed", file(FLOAT, 100_001, stump("x", "y")));
    assertEquals(100_000, read(file(FLOAT, 100_000, stump("x", "y"))).featureNames().size());
    OnnxMessage far = operator("TreeEnsembleRegressor", "x", "y").integer("n_targets", 1);
    byte[] open =
        file(
            FLOAT,
            0,
            far.integers("nodes_treeids", 0)
                .integers("nodes_nodeids", 0)
                .integers("nodes_featureids", 100_000)
                .floats("nodes_values", 0)
                .texts("nodes_modes", "LEAF")
                .integers("nodes_truenodeids", 0)
                .integers("nodes_falsenodeids", 0)
                .integers("target_treeids", 0)
                .integers("target_nodeids", 0)
                .floats("target_weights", 7));
    refused("features: 100001, at most 100000 allowed", open);
  }

  @Test
  void arithmeticAfterTheTrees() {
    OnnxMessage two = constant("c", 2);
    assertEquals(6, after(binary("Mul", "a", "c"), two));
    assertEquals(6, after(binary("Mul", "c", "a"), two));
    assertEquals(1.5, after(binary("Div", "a", "c"), two));
    assertEquals(5, after(binary("Add", "c", "a"), two));
    assertEquals(1, after(binary("Sub", "a", "c"), two));
    String only = ": only of the raw score and a constant of one number is supported";
    for (String type : List.of("Div", "Sub")) {
      InvalidModelException e =
          assertThrows(InvalidModelException.class, () -> after(binary(type, "c", "a"), two));
      assertTrue(String.valueOf(e.getMessage()).endsWith(type + only));
    }
    assertThrows(
        InvalidModelException.class, () -> after(binary("Mul", "a", "c"), constant("c", 1, 2)));
    assertThrows(
        InvalidModelException.class,
        () -> after(binary("Mul", "a", "c"), constant("c", Double.POSITIVE_INFINITY)));
    OnnxMessage made =
        new OnnxMessage()
            .text(2, "c")
            .text(4, "Constant")
            .add(5, new OnnxMessage().text(1, "value").add(5, tensorOf(10)));
    assertEquals(30, raw(read(made, stump("x", "a"), binary("Mul", "a", "c")), 0, 0));
    refused(
        "Mul" + only, stump("x", "a"), operator("Exp", "a", "b"), binary("Mul", "b", "c"), made);
  }

  /** Scale and bias take on each step in turn. */
  @Test
  void severalSteps() {
    OnnxMessage graph =
        new OnnxMessage()
            .add(1, stump("x", "a").floats("base_values", 5))
            .add(1, binary("Mul", "a", "c").text(2, "unused"))
            .add(5, constant("c", 2));
    graph.add(11, value("x", FLOAT, 2)).add(12, value("y", FLOAT, 1));
    assertEquals(16, raw(read(file(graph)), 0, 0));
    OnnxMessage divided =
        new OnnxMessage()
            .add(1, stump("x", "a").floats("base_values", 5))
            .add(1, binary("Div", "a", "c"))
            .add(5, constant("c", 2))
            .add(11, value("x", FLOAT, 2))
            .add(12, value("y", FLOAT, 1));
    assertEquals(4, raw(read(file(divided)), 0, 0));
  }

  @Test
  void casts() {
    for (int type : new int[] {FLOAT, DOUBLE}) {
      assertEquals(3, after(operator("Cast", "a", "y").integer("to", type)));
    }
    refused(
        "Cast of the score to element type 7 is not supported",
        stump("x", "a"),
        operator("Cast", "a", "y").integer("to", INT64));
  }

  @Test
  void chains() {
    OnnxMessage[] before = new OnnxMessage[64];
    OnnxMessage[] behind = new OnnxMessage[64];
    for (int i = 0; i < 63; i++) {
      before[i] = operator("Identity", i == 0 ? "x" : "v" + i, "v" + (i + 1));
      behind[i + 1] = operator("Identity", "v" + i, i == 62 ? "y" : "v" + (i + 1));
    }
    before[63] = stump("v63", "y");
    behind[0] = stump("x", "v0");
    assertEquals(3, raw(read(before), 0, 0));
    assertEquals(3, raw(read(behind), 0, 0));
    OnnxMessage[] longer = Arrays.copyOf(before, 65);
    longer[63] = operator("Identity", "v63", "v64");
    longer[64] = stump("v64", "y");
    refused("more than 64 operators before the trees", longer);
    longer = Arrays.copyOf(behind, 65);
    longer[63] = operator("Identity", "v62", "v63");
    longer[64] = operator("Identity", "v63", "y");
    refused("more than 64 operators after the trees", longer);
  }

  @Test
  void outputs() {
    refused(
        "0 targets, only one output is supported",
        columns(operator("TreeEnsembleRegressor", "x", "y"), "target"));
    refused(
        "2 targets, only one output is supported", stump("x", "y").integers("target_ids", 0, 1));
    assertEquals(3, raw(read(stump("x", "y").integers("target_ids", 0, 0)), 0, 0));
    refused("2 inputs, expected one", stump("x", "y").text(1, "z"));
    refused("its score is no output of the graph", stump("x", "a"));
    refused(
        "several operators take the score",
        stump("x", "a"),
        operator("Exp", "a", "y"),
        operator("Exp", "a", "z"));
    refused("its input comes from nowhere", stump("q", "y"));
    refused("the graph has 0 tree operators, expected one", operator("Newest", "x", "y"));
    refused(
        "the graph has 0 tree operators, expected one; it has Gemm", operator("Gemm", "x", "y"));
    refused(
        "the graph has 2 tree operators, expected one",
        stump("x", "a"),
        stump("a", "y"),
        operator("Gemm", "x", "z"));
    refused("leaf_targetids: 1, only one output is supported", modes(ensemble(0, 1), 0));
    assertEquals(3, raw(read(modes(ensemble(0, 0), 0)), 0, 0));
  }

  @Test
  void classifiers() {
    assertEquals(3, raw(read(classifier()), 0, 0));
    refused(
        "1 outputs, expected 2",
        columns(
            operator("TreeEnsembleClassifier", "x", "y").integers("classlabels_int64s", 0, 1),
            "class"));
    refused(
        "3 classes, only two with one score are supported",
        columns(
            operator("TreeEnsembleClassifier", "x", "l")
                .text(2, "y")
                .texts("classlabels_strings", "a", "b", "c"),
            "class"));
    TreeEnsemble named =
        read(
            columns(
                operator("TreeEnsembleClassifier", "x", "l")
                    .text(2, "y")
                    .texts("classlabels_strings", "a", "b"),
                "class"));
    assertEquals(4, raw(named, 0, 1));
    OnnxMessage second =
        columns(
            operator("TreeEnsembleClassifier", "x", "l")
                .text(2, "y")
                .integers("classlabels_int64s", 0, 1)
                .integers("class_ids", 0, 1),
            "class");
    refused("class_ids: weights of more than the first class", second);
    TreeEnsemble logistic = read(classifier().text("post_transform", "LOGISTIC"));
    assertEquals(Kind.LOGISTIC_FLOAT, logistic.transform().kind());
    assertEquals(1, logistic.source().notes().size());
  }

  @Test
  void aggregates() {
    assertEquals(3 + 5, raw(read(stump("x", "y").floats("base_values", 5)), 0, 0));
    refused("base_values: 2, expected at most one", stump("x", "y").floats("base_values", 1, 2));
    TreeEnsemble average = read(stump("x", "y").text("aggregate_function", "AVERAGE"));
    assertEquals(1, average.scale());
    refused(
        "aggregate_function: only SUM and AVERAGE are supported",
        stump("x", "y").text("aggregate_function", "MAX"));
    for (int function : new int[] {0, 1}) {
      assertEquals(
          3, raw(read(modes(ensemble().integer("aggregate_function", function), 0)), 0, 0));
    }
    refused(
        "aggregate_function: only SUM and AVERAGE are supported",
        modes(ensemble().integer("aggregate_function", 2), 0));
    assertEquals(
        OutputTransform.IDENTITY,
        read(modes(ensemble().integer("post_transform", 0), 0)).transform());
    TreeEnsemble logistic = read(modes(ensemble().integer("post_transform", 2), 0));
    assertEquals(Kind.LOGISTIC_FLOAT, logistic.transform().kind());
    assertEquals(2, logistic.source().notes().size());
    refused(
        "post_transform: only NONE and LOGISTIC are supported",
        modes(ensemble().integer("post_transform", 1), 0));
    refused(
        "post_transform: only NONE and LOGISTIC are supported",
        stump("x", "y").text("post_transform", "PROBIT"));
  }

  @Test
  void splits() {
    refused("node 0: mode BRANCH_MEMBER is not supported", modes(ensemble(), 6));
    refused("node 0: mode 7", modes(ensemble(), 7));
    refused("nodes_modes: 2 elements, expected 1", modes(ensemble(), 0, 0));
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
        "nodes_missing_value_tracks_true: 2 elements, expected 1",
        modes(ensemble().integers("nodes_missing_value_tracks_true", 1, 1), 0));
  }

  @Test
  void rows() {
    refused(
        "tree 0, node 0: child 3, which the tree does not have",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 2}, 3));
    refused(
        "tree 0, node 0: child -1, which the tree does not have",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 2}, -1));
    refused(
        "tree 0, node 1: node ids must be 0, 1, ... in each tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 1}, 1));
    refused(
        "tree 0, node 3: node ids must be 0, 1, ... in each tree",
        rows(new long[] {0, 0, 0}, new long[] {0, 1, 3}, 1));
    refused(
        "tree 0, node 2: the tree's nodes are not together",
        rows(new long[] {0, 1, 0}, new long[] {0, 0, 2}, 1));
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
}
