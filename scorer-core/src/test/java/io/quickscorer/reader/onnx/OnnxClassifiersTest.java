// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.onnx;

import static io.quickscorer.reader.onnx.OnnxModels.FLOAT;
import static io.quickscorer.reader.onnx.OnnxModels.classifier;
import static io.quickscorer.reader.onnx.OnnxModels.columns;
import static io.quickscorer.reader.onnx.OnnxModels.ensemble;
import static io.quickscorer.reader.onnx.OnnxModels.file;
import static io.quickscorer.reader.onnx.OnnxModels.operator;
import static io.quickscorer.reader.onnx.OnnxModels.raw;
import static io.quickscorer.reader.onnx.OnnxModels.read;
import static io.quickscorer.reader.onnx.OnnxModels.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Classifiers in ONNX files, of two classes and of more. */
final class OnnxClassifiersTest {
  @Test
  void classifiers() {
    assertEquals(3, raw(read(classifier()), 0, 0));
    refused(
        "the operator of the trees has 1 outputs, expected 2",
        columns(
            operator("TreeEnsembleClassifier", "x", "y").integers("classlabels_int64s", 0, 1),
            "class"));
    refused(
        "classes 3: several outputs; choose one with ?output=K / --output-index K, K from 0 to 2",
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
    refused(
        "classes 2: several outputs; choose one with ?output=K / --output-index K, K from 0 to 1",
        second);
    refused(
        "base_values: both classes have weights, and for such models ONNX Runtime computes other"
            + " scores than the trainer; use the trainer's own file, which for CatBoost is the .cbm"
            + " file",
        second.floats("base_values", -0.5, 0.5));
    TreeEnsemble logistic = read(classifier().text("post_transform", "LOGISTIC"));
    assertEquals(Kind.LOGISTIC_FLOAT, logistic.transform().kind());
    assertEquals(1, logistic.source().notes().size());
  }

  /** The stump's weights are of these classes. */
  private static OnnxMessage ofClasses(OnnxMessage node, long... classes) {
    return columns(
        node.text(2, "y").integers("classlabels_int64s", 0, 1).integers("class_ids", classes),
        "class");
  }

  /** A row for which no leaf has a weight of the second class, the runtime scores otherwise. */
  @Test
  void secondClass() {
    OnnxMessage everywhere =
        operator("TreeEnsembleClassifier", "x", "l")
            .text(2, "y")
            .integers("classlabels_int64s", 0, 1)
            .integers("nodes_treeids", 0, 0, 0)
            .integers("nodes_nodeids", 0, 1, 2)
            .integers("nodes_featureids", 1, 0, 0)
            .floats("nodes_values", 0.5, 0, 0)
            .texts("nodes_modes", "BRANCH_LEQ", "LEAF", "LEAF")
            .integers("nodes_truenodeids", 1, 0, 0)
            .integers("nodes_falsenodeids", 2, 0, 0)
            .integers("class_treeids", 0, 0, 0)
            .integers("class_nodeids", 1, 1, 2)
            .integers("class_ids", 0, 1, 1)
            .floats("class_weights", 3, 4, 5);
    byte[] file = file(FLOAT, 2, everywhere);
    for (int output = 0; output < 2; output++) {
      TreeEnsemble ensemble = chosen(file, output);
      assertEquals(output == 0 ? 3 : 4, raw(ensemble, 0, 0));
      assertEquals(output == 0 ? 0 : 5, raw(ensemble, 0, 1));
    }
    byte[] partly = file(FLOAT, 2, ofClasses(operator("TreeEnsembleClassifier", "x", "l"), 0, 1));
    for (int output = 0; output < 2; output++) {
      int of = output;
      InvalidModelException e = assertThrows(InvalidModelException.class, () -> chosen(partly, of));
      String message = String.valueOf(e.getMessage());
      assertTrue(
          message.contains("tree 0, node 1: the leaf has no weight of the second class"), message);
    }
  }

  private static TreeEnsemble chosen(byte[] file, int output) {
    return ModelReader.read(
        file,
        ModelFormats.of("onnx"),
        EnsembleLimits.DEFAULT,
        ReadOptions.ofOutput(OptionalInt.of(output)));
  }
}
