// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.OutputTransform.Kind;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One output of a model of several has its trainer's raw scores, to the bit, by every engine. */
final class OutputsParityTest {
  static List<Fixture> fixtures() {
    return Fixture.ofSeveralOutputs();
  }

  private static TreeEnsemble read(byte[] file, OptionalInt output) {
    return ModelReader.read(
        file, ModelFormat.AUTO, EnsembleLimits.DEFAULT, ReadOptions.ofOutput(output));
  }

  private static String refusal(byte[] file, OptionalInt output) {
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file, output));
    return String.valueOf(e.getMessage());
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void eachOutput(Fixture fixture) {
    Fixture.Outputs cases = fixture.outputs();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    int outputs = cases.raw().length;
    assertTrue(outputs > 1);
    for (String encoding : fixture.encodings()) {
      byte[] file = fixture.model(encoding);
      for (int output = 0; output < outputs; output++) {
        TreeEnsemble ensemble = read(file, OptionalInt.of(output));
        assertSame(cases.raw()[output], ensemble, matrix, encoding + ", output " + output);
        assertTrue(
            ensemble
                .source()
                .notes()
                .getFirst()
                .startsWith("the score of output " + output + " of " + outputs));
      }
      assertTrue(
          refusal(file, OptionalInt.empty())
              .endsWith(
                  ": several outputs; choose one with ?output=K / --output-index K, K from 0 to "
                      + (outputs - 1)));
      for (int outside : new int[] {-1, outputs, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        String refusal = refusal(file, OptionalInt.of(outside));
        assertTrue(
            refusal.contains("output: " + outside + ", expected 0.." + (outputs - 1)), refusal);
      }
    }
  }

  private static void assertSame(
      double[] expected, TreeEnsemble ensemble, FeatureMatrix matrix, String where) {
    // ONNX Runtime rounds the score to float.
    boolean floats = ensemble.source().format().label().equals("onnx");
    int engines = 0;
    for (Algorithm algorithm : Engines.names()) {
      EnsembleScorer scorer;
      try {
        scorer = ScorerCompiler.compile(ensemble, algorithm);
      } catch (UnsupportedEnsembleException e) {
        continue;
      }
      engines++;
      double[] scores = new double[matrix.documents()];
      scorer.score(matrix, scorer.newScratch(), scores);
      for (int row = 0; row < scores.length; row++) {
        double score = floats ? (float) scores[row] : scores[row];
        assertEquals(expected[row], score, where + ", " + algorithm + ", row " + row);
      }
    }
    assertTrue(engines > 0);
  }

  /** A model of one output is that output. */
  @Test
  void oneOutput() {
    for (String model :
        List.of(
            SmallModels.LIGHTGBM,
            SmallModels.LIGHTGBM_DUMP,
            SmallModels.XGBOOST,
            SmallModels.XGBOOST_LINEAR,
            SmallModels.XGBOOST_DUMP,
            SmallModels.CATBOOST,
            SmallModels.RANKLIB,
            SmallModels.SOLR,
            SmallModels.LINEAR)) {
      byte[] file = SmallModels.bytes(model);
      Ensembles.assertSame(read(file, OptionalInt.empty()), read(file, OptionalInt.of(0)));
      for (int other : new int[] {-1, 1}) {
        assertTrue(
            refusal(file, OptionalInt.of(other))
                .endsWith("output: " + other + ", expected 0..0: the model has one output"));
      }
    }
  }

  /** One-versus-all classes have a transform of their own; a softmax needs all of them. */
  @Test
  void transforms() {
    for (Fixture fixture : fixtures()) {
      if (fixture.name().equals("outputs_ova") || fixture.name().equals("outputs_multiclass")) {
        boolean own = fixture.name().equals("outputs_ova");
        TreeEnsemble ensemble = read(fixture.model("txt"), OptionalInt.of(2));
        assertEquals(own ? Kind.SIGMOID : Kind.IDENTITY, ensemble.transform().kind());
        assertEquals(
            "the score of output 2 of 5 (num_class 5, "
                + (own
                    ? "multiclassova)"
                    : "multiclass); the trainer's prediction is a function of all outputs, so the"
                        + " transformed output here is the raw score"),
            ensemble.source().notes().getFirst());
      }
    }
  }
}
