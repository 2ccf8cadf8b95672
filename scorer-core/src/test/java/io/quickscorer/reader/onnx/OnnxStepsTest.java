// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.DOUBLE;
import static io.quickscorer.reader.onnx.OnnxModels.FLOAT;
import static io.quickscorer.reader.onnx.OnnxModels.INT64;
import static io.quickscorer.reader.onnx.OnnxModels.file;
import static io.quickscorer.reader.onnx.OnnxModels.operator;
import static io.quickscorer.reader.onnx.OnnxModels.raw;
import static io.quickscorer.reader.onnx.OnnxModels.read;
import static io.quickscorer.reader.onnx.OnnxModels.refused;
import static io.quickscorer.reader.onnx.OnnxModels.stump;
import static io.quickscorer.reader.onnx.OnnxModels.tensorOf;
import static io.quickscorer.reader.onnx.OnnxModels.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Steps before the trees: names, shapes and refusals; {@link OnnxParityTest} has the runtime's
 * scores. The stump is 3 up to 0.5 of column 1, else 4.
 */
final class OnnxStepsTest {
  private static final int TEXT = 8;

  private static OnnxMessage joined(String type, String output, String... inputs) {
    OnnxMessage node = new OnnxMessage();
    for (String input : inputs) {
      node.text(1, input);
    }
    return node.text(2, output).text(4, type);
  }

  private static byte[] graph(List<OnnxMessage> nodes, OnnxMessage... inputs) {
    OnnxMessage graph = new OnnxMessage();
    nodes.forEach(node -> graph.add(1, node));
    Arrays.stream(inputs).forEach(input -> graph.add(11, input));
    graph.add(5, tensorOf(1, 0).text(8, "swap")).add(5, tensorOf(2).text(8, "two"));
    graph.add(5, tensorOf(-1, 2).text(8, "rows")).add(5, tensorOf(-1).text(8, "flat"));
    graph.add(5, tensorOf(0).text(8, "zero")).add(5, tensorOf(0, 7).text(8, "far"));
    return file(graph.add(12, value("y", FLOAT, 1)));
  }

  private static byte[] step(OnnxMessage node) {
    return graph(List.of(node, stump("a", "y")), value("x", FLOAT, 2));
  }

  private static OnnxMessage scaler(String input, String output) {
    return operator("Scaler", input, output).floats("offset", 1).floats("scale", -2);
  }

  @Test
  void featuresOfSeveralInputs() {
    byte[] file =
        graph(
            List.of(
                scaler("price", "p"),
                operator("Identity", "seen", "s"),
                joined("Concat", "a", "s", "p").integer("axis", 1),
                joined("ArrayFeatureExtractor", "b", "a", "swap"),
                stump("b", "y")),
            value("price", FLOAT, 1),
            value("seen", FLOAT, 2));
    TreeEnsemble ensemble = read(file);
    assertEquals(List.of("seen_0", "seen_1", "price"), ensemble.featureNames());
    // Column 1 of the trees is the first one of those joined.
    assertEquals(3, raw(ensemble, 0.5f, 9, 9));
    assertEquals(4, raw(ensemble, 0.6f, 9, 9));
    assertEquals(4, raw(ensemble, Float.NaN, 9, 9));
  }

  @Test
  void aFallingStepTurnsTheSplit() {
    TreeEnsemble ensemble = read(step(scaler("x", "a")));
    assertEquals(List.of("f0", "f1"), ensemble.featureNames());
    assertEquals(4, raw(ensemble, 0, Math.nextDown(0.75f)));
    assertEquals(3, raw(ensemble, 0, 0.75f));
    assertEquals(3, raw(ensemble, 0, Float.POSITIVE_INFINITY));
    assertEquals(4, raw(ensemble, 0, Float.NEGATIVE_INFINITY));
    assertEquals(4, raw(ensemble, 0, Float.NaN));
  }

  /** A split that all values pass on one side is none. */
  @Test
  void stepsThatLeaveNothingToAsk() {
    OnnxMessage labels =
        operator("LabelEncoder", "x", "a")
            .floats("keys_floats", 1, Double.NaN)
            .floats("values_floats", 0, 0.5);
    TreeEnsemble ensemble = read(step(labels));
    assertEquals(0, ensemble.trees().getFirst().splits());
    assertEquals(3, raw(ensemble, 0, 7));
    TreeEnsemble missing =
        read(
            step(
                operator("LabelEncoder", "x", "a")
                    .floats("keys_floats", Double.NaN)
                    .floats("values_floats", 0.75)));
    assertEquals(1, missing.trees().getFirst().splits());
    assertEquals(3, raw(missing, 0, Float.POSITIVE_INFINITY));
    assertEquals(4, raw(missing, 0, Float.NaN));
  }

  @Test
  void shapes() {
    for (OnnxMessage each :
        List.of(
            operator("Flatten", "x", "a"),
            operator("Squeeze", "x", "a"),
            joined("Reshape", "a", "x", "rows"),
            joined("Gather", "a", "x", "swap").integer("axis", 1),
            joined("FeatureVectorizer", "a", "x").integers("inputdimensions", 2))) {
      read(step(each));
    }
    refused(
        "Reshape before the trees: the shape must keep each row and its values",
        step(joined("Reshape", "a", "x", "flat")));
    refused(
        "Gather before the trees: only axis 1 (columns) is supported",
        step(joined("Gather", "a", "x", "swap")));
    refused(
        "FeatureVectorizer: inputdimensions differ from the columns of the inputs",
        step(joined("FeatureVectorizer", "a", "x").integers("inputdimensions", 3)));
    refused(
        "Concat: axis 0 joins rows, expected axis 1",
        step(joined("Concat", "a", "x", "x").integer("axis", 0)));
    refused(
        "ArrayFeatureExtractor: column 7, expected 0..1",
        step(joined("ArrayFeatureExtractor", "a", "x", "far")));
    OnnxMessage encoder = operator("OneHotEncoder", "x", "e").integers("cats_int64s", 0, 1);
    refused(
        "Concat: the output of a OneHotEncoder of several columns is not supported as input",
        graph(
            List.of(encoder, joined("Concat", "a", "e", "e").integer("axis", 2), stump("a", "y")),
            value("x", FLOAT, 2)));
    refused(
        "Concat: the inputs have element types 1 and 11, expected one type",
        graph(
            List.of(joined("Concat", "a", "x", "z").integer("axis", 1), stump("a", "y")),
            value("x", FLOAT, 2),
            value("z", DOUBLE, 2)));
    refused(
        "FeatureVectorizer: the inputs have element types 1 and 7, expected one type",
        graph(
            List.of(
                joined("FeatureVectorizer", "a", "x", "z").integers("inputdimensions", 2, 2),
                stump("a", "y")),
            value("x", FLOAT, 2),
            value("z", INT64, 2)));
    refused(
        "the input of the trees has texts, expected numbers",
        graph(List.of(stump("x", "y")), value("x", TEXT, 2)));
    refused(
        "the file does not contain the number of columns of an input; export the model with the"
            + " shape of its inputs",
        graph(
            List.of(joined("Concat", "a", "x", "x").integer("axis", 1), stump("a", "y")),
            value("x", FLOAT, 0)));
    refused(
        "node 0: feature 1, expected 0..0",
        step(joined("Gather", "a", "x", "zero").integer("axis", 1)));
  }

  @Test
  void texts() {
    OnnxMessage labels =
        operator("LabelEncoder", "color", "l")
            .texts("keys_strings", "red", "green", "blue")
            .floats("values_floats", 0.25, 2, 0.5)
            .real("default_float", 3);
    TreeEnsemble ensemble =
        read(
            graph(
                List.of(
                    labels, joined("Concat", "a", "x", "l").integer("axis", 1), stump("a", "y")),
                value("color", TEXT, 1),
                value("x", FLOAT, 1)));
    assertEquals(List.of("x", "color"), ensemble.featureNames());
    assertEquals(
        Map.of(1, CategoryList.ofTexts(List.of("red", "green", "blue"))), ensemble.categories());
    assertEquals(3, raw(ensemble, 9, 0));
    assertEquals(4, raw(ensemble, 9, 1));
    assertEquals(3, raw(ensemble, 9, 2));
    assertEquals(4, raw(ensemble, 9, Float.NaN));
    OnnxMessage strict =
        operator("OneHotEncoder", "color", "a").texts("cats_strings", "a", "b").integer("zeros", 0);
    ensemble = read(graph(List.of(strict, stump("a", "y")), value("color", TEXT, 1)));
    assertEquals(4, raw(ensemble, 1));
    assertEquals(3, raw(ensemble, Float.NaN));
    assertTrue(
        ensemble.source().notes().stream().anyMatch(note -> note.contains("its indicators are 0")));
  }

  @Test
  void textsThatCannotBeRead() {
    OnnxMessage both = operator("OneHotEncoder", "x", "a").texts("cats_strings", "a", "b");
    refused(
        "OneHotEncoder: the input has 2 columns of texts, expected 1",
        graph(List.of(both, stump("a", "y")), value("x", TEXT, 2)));
    OnnxMessage other = operator("OneHotEncoder", "x", "b").texts("cats_strings", "b", "a");
    refused(
        "OneHotEncoder: two operators list different texts for the same column, expected equal"
            + " lists",
        graph(
            List.of(
                both, other, joined("Concat", "c", "a", "b").integer("axis", 1), stump("c", "y")),
            value("x", TEXT, 1)));
    refused(
        "operator Scaler before the trees: text values are not supported as its input",
        graph(List.of(scaler("x", "a"), stump("a", "y")), value("x", TEXT, 2)));
    refused(
        "operator FeatureVectorizer before the trees: text values are not supported as its input",
        graph(
            List.of(
                joined("FeatureVectorizer", "a", "x").integers("inputdimensions", 2),
                stump("a", "y")),
            value("x", TEXT, 2)));
    refused(
        "categories 0 and 1 have the same value",
        graph(
            List.of(
                operator("OneHotEncoder", "x", "a").texts("cats_strings", "a", "a"),
                stump("a", "y")),
            value("x", TEXT, 1)));
  }

  @Test
  void refusals() {
    refused(
        "Scaler: a scale is 0, expected another number",
        step(operator("Scaler", "x", "a").floats("offset", 0).floats("scale", 1, 0)));
    refused(
        "Scaler: offset: found 3 numbers, expected 1 or 2",
        step(operator("Scaler", "x", "a").floats("offset", 0, 0, 0).floats("scale", 1)));
    refused(
        "Imputer: imputed values: NaN, expected a finite number",
        step(operator("Imputer", "x", "a").floats("imputed_value_floats", Double.NaN)));
    refused(
        "OneHotEncoder before the trees: expected whole numbers or texts as categories",
        step(operator("OneHotEncoder", "x", "a").texts("cats_strings", "red")));
    refused(
        "LabelEncoder before the trees: expected a mapping of numbers or texts to numbers",
        step(operator("LabelEncoder", "x", "a").texts("keys_strings", "red")));
    refused("operator Pow before the trees is not supported", step(operator("Pow", "x", "a")));
    refused(
        "Normalizer: norm: expected MAX, L1 or L2",
        step(operator("Normalizer", "x", "a").text("norm", "L3")));
    refused(
        "Normalizer is supported only as the first operator; compute its results as features,"
            + " and export the model without Normalizer and the operators before it",
        graph(
            List.of(scaler("x", "s"), operator("Normalizer", "s", "a"), stump("a", "y")),
            value("x", FLOAT, 2)));
    refused(
        "the file does not contain the number of columns of an input; export the model with the"
            + " shape of its inputs",
        graph(List.of(operator("Normalizer", "x", "a"), stump("a", "y")), value("x", FLOAT, 0)));
    refused(
        "Normalizer of element type 7 is not supported",
        graph(List.of(operator("Normalizer", "x", "a"), stump("a", "y")), value("x", INT64, 2)));
    refused(
        "Max before the trees: expected floats and a constant as inputs",
        step(joined("Max", "a", "x", "two", "two")));
    refused("Min: constant: found 0 numbers, expected 1 or 2", step(joined("Min", "a", "x", "x")));
    refused(
        "Mul: the constant is 0, expected another number", step(joined("Mul", "a", "x", "zero")));
    refused(
        "Div before the trees: expected numbers and a constant as inputs",
        step(joined("Div", "a", "two", "x")));
    refused(
        "Imputer of element type 11 is not supported",
        graph(
            List.of(
                operator("Imputer", "x", "a").floats("imputed_value_floats", 1), stump("a", "y")),
            value("x", DOUBLE, 2)));
    refused(
        "Sub before the trees: expected numbers and a constant as inputs",
        graph(List.of(joined("Sub", "a", "x", "two"), stump("a", "y")), value("x", INT64, 2)));
  }

  /** A few bytes claim many columns: none is made before it is asked for. */
  @Test
  void claims() {
    OnnxMessage twice = joined("Concat", "a", "x", "x").integer("axis", 1);
    refused(
        "columns computed before the trees: 1048578, at most 1048576 allowed",
        graph(List.of(twice, stump("a", "y")), value("x", FLOAT, 524_289)));
    OnnxMessage[] steps = new OnnxMessage[60];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = scaler(i == 0 ? "x" : "v" + i, i == 59 ? "a" : "v" + (i + 1));
    }
    List<OnnxMessage> all = new ArrayList<>(List.of(steps));
    all.add(stump("a", "y"));
    assertEquals(3, raw(read(graph(all, value("x", FLOAT, 2))), 0, -1e9f));
  }
}
