// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.DOUBLE;
import static io.quickscorer.reader.onnx.OnnxModels.FLOAT;
import static io.quickscorer.reader.onnx.OnnxModels.INT32;
import static io.quickscorer.reader.onnx.OnnxModels.INT64;
import static io.quickscorer.reader.onnx.OnnxModels.STRING;
import static io.quickscorer.reader.onnx.OnnxModels.classifier;
import static io.quickscorer.reader.onnx.OnnxModels.columns;
import static io.quickscorer.reader.onnx.OnnxModels.ensemble;
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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What an ONNX file may hold around its trees and in them, and refusals word by word. */
final class OnnxPlacesTest {
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
    refused("the input of the trees has texts, expected numbers", file(STRING, 2, stump("x", "y")));
  }

  @Test
  void widths() {
    assertEquals(List.of("f0", "f1", "f2"), read(file(FLOAT, 3, stump("x", "y"))).featureNames());
    assertEquals(List.of("f0", "f1"), read(file(FLOAT, 0, stump("x", "y"))).featureNames());
    refused("tree 0, node 0: feature 1, expected 0..0", file(FLOAT, 1, stump("x", "y")));
    refused("features: 1048577, at most 1048576 allowed", file(FLOAT, 1_048_577, stump("x", "y")));
    List<String> many = read(file(FLOAT, 1_048_576, stump("x", "y"))).featureNames();
    assertEquals(1_048_576, many.size());
    assertEquals("f1048575", many.getLast());
    OnnxMessage far = operator("TreeEnsembleRegressor", "x", "y").integer("n_targets", 1);
    byte[] open =
        file(
            FLOAT,
            0,
            far.integers("nodes_treeids", 0)
                .integers("nodes_nodeids", 0)
                .integers("nodes_featureids", 1_048_576)
                .floats("nodes_values", 0)
                .texts("nodes_modes", "LEAF")
                .integers("nodes_truenodeids", 0)
                .integers("nodes_falsenodeids", 0)
                .integers("target_treeids", 0)
                .integers("target_nodeids", 0)
                .floats("target_weights", 7));
    refused("features: 1048577, at most 1048576 allowed", open);
  }

  @Test
  void arithmeticAfterTheTrees() {
    OnnxMessage two = constant("c", 2);
    assertEquals(6, after(binary("Mul", "a", "c"), two));
    assertEquals(6, after(binary("Mul", "c", "a"), two));
    assertEquals(1.5, after(binary("Div", "a", "c"), two));
    assertEquals(5, after(binary("Add", "c", "a"), two));
    assertEquals(1, after(binary("Sub", "a", "c"), two));
    String only = ": expected the raw score and one constant number as inputs";
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

  /** What changes nothing passes anywhere, as exporters write it after LOGISTIC. */
  @Test
  void neutralArithmetic() {
    for (String type : List.of("Mul", "Div", "Add", "Sub")) {
      double neutral = type.equals("Mul") || type.equals("Div") ? 1 : 0;
      for (double[] constants : new double[][] {{neutral}, {neutral, neutral}}) {
        OnnxMessage graph =
            new OnnxMessage()
                .add(1, classifierTo("a").text("post_transform", "LOGISTIC"))
                .add(1, binary(type, "a", "c"))
                .add(5, constant("c", constants))
                .add(11, value("x", FLOAT, 2))
                .add(12, value("y", FLOAT, 1));
        assertEquals(Kind.LOGISTIC_FLOAT, read(file(graph)).transform().kind());
        assertEquals(3, raw(read(file(graph)), 0, 0));
      }
    }
  }

  private static OnnxMessage classifierTo(String scores, long... more) {
    OnnxMessage node = operator("TreeEnsembleClassifier", "x", "label").text(2, scores);
    long[] labels = new long[2 + more.length];
    return OnnxModels.columns(
        node.integers("classlabels_int64s", labels).integers("class_ids", 0, 0), "class");
  }

  /** The prediction is a function of all classes' scores, whatever follows. */
  @Test
  void stepsAfterSoftmax() {
    OnnxMessage[] after = {
      operator("Sigmoid", "a", "y"),
      operator("Exp", "a", "y"),
      binary("Mul", "a", "c"),
      binary("Add", "a", "c"),
    };
    for (OnnxMessage each : after) {
      OnnxMessage graph =
          new OnnxMessage()
              .add(1, classifierTo("a", 2).text("post_transform", "SOFTMAX"))
              .add(1, each)
              .add(5, constant("c", 2))
              .add(11, value("x", FLOAT, 2))
              .add(12, value("y", FLOAT, 1));
      TreeEnsemble ensemble =
          ModelReader.read(
              file(graph),
              ModelFormats.of("onnx"),
              EnsembleLimits.DEFAULT,
              ReadOptions.ofOutput(OptionalInt.of(0)));
      assertEquals(OutputTransform.IDENTITY, ensemble.transform());
      assertEquals(3, raw(ensemble, 0, 0));
    }
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
    // To the runtime 0.6 would be 0 or 1 then, or a half.
    for (int type : new int[] {INT32, 9, 10}) {
      refused(
          "Cast of features to element type " + type + " is not supported",
          operator("Cast", "x", "a").integer("to", type),
          operator("Cast", "a", "b").integer("to", FLOAT),
          stump("b", "y"));
    }
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
    refused("found more than 64 consecutive operators before the trees", longer);
    longer = Arrays.copyOf(behind, 65);
    longer[63] = operator("Identity", "v62", "v63");
    longer[64] = operator("Identity", "v63", "y");
    refused("found more than 64 consecutive operators after the trees", longer);
  }

  @Test
  void outputs() {
    refused(
        "n_targets: 0, expected 1 or more",
        columns(operator("TreeEnsembleRegressor", "x", "y"), "target"));
    refused("target_ids: 1, expected 0..0", stump("x", "y").integers("target_ids", 0, 1));
    assertEquals(3, raw(read(stump("x", "y").integers("target_ids", 0, 0)), 0, 0));
    refused("the operator of the trees has 2 inputs, expected 1", stump("x", "y").text(1, "z"));
    refused("the score is not an output of the graph", stump("x", "a"));
    refused(
        "several operators read the score, expected one",
        stump("x", "a"),
        operator("Exp", "a", "y"),
        operator("Exp", "a", "z"));
    refused(
        "an input of an operator is neither another operator's output nor an input of the graph",
        stump("q", "y"));
    refused(
        "the graph has 0 tree operators, expected one; it has Newest",
        operator("Newest", "x", "y"));
    refused(
        "the graph has 0 tree operators, expected one; it has Gemm", operator("Gemm", "x", "y"));
    refused(
        "the graph has 2 tree operators, expected one",
        stump("x", "a"),
        stump("a", "y"),
        operator("Gemm", "x", "z"));
    refused("leaf_targetids: 1, expected 0..0", modes(ensemble(0, 1), 0));
    assertEquals(3, raw(read(modes(ensemble(0, 0), 0)), 0, 0));
  }

  @Test
  void aggregates() {
    assertEquals(3 + 5, raw(read(stump("x", "y").floats("base_values", 5)), 0, 0));
    refused(
        "base_values: found 2 numbers, expected none or 1",
        stump("x", "y").floats("base_values", 1, 2));
    TreeEnsemble average = read(stump("x", "y").text("aggregate_function", "AVERAGE"));
    assertEquals(1, average.scale());
    String only =
        "aggregate_function: expected SUM or AVERAGE, or for a single tree also MIN or MAX";
    refused(only, stump("x", "y").text("aggregate_function", "MEDIAN"));
    for (String function : List.of("SUM", "AVERAGE", "MIN", "MAX")) {
      assertEquals(3, raw(read(stump("x", "y").text("aggregate_function", function)), 0, 0));
    }
    for (int function : new int[] {0, 1, 2, 3}) {
      OnnxMessage one = modes(ensemble().integer("aggregate_function", function), 0);
      assertEquals(3, raw(read(one), 0, 0));
    }
    for (int function : new int[] {-1, 4}) {
      refused(only, modes(ensemble().integer("aggregate_function", function), 0));
    }
    OnnxMessage twoTrees =
        operator("TreeEnsembleRegressor", "x", "y")
            .integer("n_targets", 1)
            .integers("nodes_treeids", 0, 1)
            .integers("nodes_nodeids", 0, 0)
            .integers("nodes_featureids", 0, 0)
            .floats("nodes_values", 0, 0)
            .texts("nodes_modes", "LEAF", "LEAF")
            .integers("nodes_truenodeids", 0, 0)
            .integers("nodes_falsenodeids", 0, 0)
            .integers("target_treeids", 0, 1)
            .integers("target_nodeids", 0, 0)
            .floats("target_weights", 7, 8)
            .text("aggregate_function", "MIN");
    refused(only, twoTrees);
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
}
