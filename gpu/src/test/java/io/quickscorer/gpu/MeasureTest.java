// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The measurement itself, on sizes the emulation can do: its figures mean nothing here. */
final class MeasureTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Measure.Scope scope =
      new Measure.Scope(100, List.of(3, 70), List.of(64, -16), List.of(5, 40), 1 << 20, 10, 0.001);

  @BeforeEach
  void require() {
    Standin.require();
  }

  @AfterEach
  void heal() {
    Standin.spoilGraphs(false);
  }

  private Measure measure(BiFunction<TreeEnsemble, Algorithm, EnsembleScorer> compiler) {
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Measure(Standin.device(0), scope, new Results(out), compiler);
  }

  private long lines(String step) {
    String text = printed.toString(StandardCharsets.UTF_8);
    return text.lines().filter(l -> l.startsWith("{\"step\":\"" + step + "\"")).count();
  }

  @Test
  void everyStepLeavesItsResults() throws Exception {
    Measure measure = measure(ScorerCompiler::compile);
    measure.compare(1);
    // One that is cut off has left a line before the last one.
    assertTrue(lines("compare") >= 2);
    assertTrue(lines("compared") > 10);
    measure.limits();
    assertEquals(1, lines("limits"));
    measure.table(1);
    assertEquals(8, lines("cell"));
    scope = new Measure.Scope(100, List.of(10), List.of(16), List.of(40), 1 << 20, 10, 0.001);
    Measure few = measure(ScorerCompiler::compile);
    few.plans(1);
    assertTrue(lines("plan") >= 8);
    assertEquals(0, few.different());
    assertEquals(0, measure.different(), printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void graphsThatGiveOtherScoresAreFound() throws Exception {
    Standin.spoilGraphs(true);
    Measure measure = measure(ScorerCompiler::compile);
    measure.table(1);
    assertTrue(measure.different() > 0);
    long before = measure.different();
    measure.compare(1);
    assertTrue(measure.different() > before);
  }

  /**
   * The CPU's columns are compiled by the name of the CPU or of an engine: AUTO may use a device.
   */
  @Test
  void columnsOfTheCpuAreNotCompiledForDevices() {
    scope = new Measure.Scope(100, List.of(3), List.of(16), List.of(5), 1 << 20, 10, 0.001);
    List<Algorithm> compiled = new ArrayList<>();
    measure(
            (ensemble, algorithm) -> {
              compiled.add(algorithm);
              return ScorerCompiler.compile(ensemble, algorithm);
            })
        .table(1);
    assertEquals(List.of(Algorithm.CPU, Engines.named("bwqs")), compiled);
  }

  @Test
  void deviceInTheColumnOfTheCpuIsRefused() {
    GpuDevice device = Standin.device(0);
    Measure measure =
        measure(
            (ensemble, algorithm) ->
                OffloadScorer.alwaysOnDevice(
                    DeviceScorers.traversal(ensemble, device),
                    ScorerCompiler.compile(ensemble, algorithm)));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> measure.table(1));
    assertEquals("the CPU's column would be scored by gpu", refused.getMessage());
  }

  /** The files for other libraries have the model, the documents and the scores. */
  @Test
  void forestsOfFilesAreTheMeasuredOnes(@TempDir Path folder) throws Exception {
    measure(ScorerCompiler::compile).forests(folder, 1);
    assertEquals(4, lines("forest"));
    for (String name : List.of("3-64", "70--16")) {
      TreeEnsemble read =
          ModelReader.read(folder.resolve(name + ".txt"), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
      ByteBuffer rows = ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name + ".documents")));
      DoubleBuffer scores =
          ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name + ".scores")))
              .order(ByteOrder.LITTLE_ENDIAN)
              .asDoubleBuffer();
      FeatureMatrix matrix = new FeatureMatrix(SyntheticModels.FEATURES, scores.remaining());
      rows.order(ByteOrder.LITTLE_ENDIAN);
      for (int document = 0; document < matrix.documents(); document++) {
        for (int feature = 0; feature < matrix.features(); feature++) {
          matrix.set(document, feature, rows.getFloat());
        }
      }
      double[] expected = new double[matrix.documents()];
      scores.get(expected);
      double[] found = new double[matrix.documents()];
      EnsembleScorer scorer = ScorerCompiler.compile(read, Algorithm.CPU);
      scorer.score(matrix, scorer.newScratch(), found);
      assertEquals(0, Measure.unequal(expected, found), name);
    }
  }

  /** Trees of 64 leaves that LightGBM trains have a mean leaf depth of 8 to 12. */
  @Test
  void treesAreAsDeepAsTrainedOnes() {
    double depth = SyntheticModels.meanLeafDepth(SyntheticModels.ensemble(200, 64, 1));
    assertTrue(depth >= 8 && depth <= 12, "mean leaf depth " + depth);
    assertEquals(6, SyntheticModels.meanLeafDepth(SyntheticModels.oblivious(3, 64, 1)));
  }
}
