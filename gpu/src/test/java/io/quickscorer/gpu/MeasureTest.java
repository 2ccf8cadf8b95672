// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    return new Measure(new GpuDevice(Standin.driver(), 0), scope, new Results(out), compiler);
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
    GpuDevice device = new GpuDevice(Standin.driver(), 0);
    Measure measure =
        measure(
            (ensemble, algorithm) ->
                OffloadScorer.alwaysOnDevice(
                    GpuTraversalScorer.compile(ensemble, device),
                    ScorerCompiler.compile(ensemble, algorithm)));
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> measure.table(1));
    assertEquals("the CPU's column would be scored by gpu", refused.getMessage());
  }

  /** Trees of 64 leaves that LightGBM trains have a mean leaf depth of 8 to 12. */
  @Test
  void treesAreAsDeepAsTrainedOnes() {
    double depth = SyntheticModels.meanLeafDepth(SyntheticModels.ensemble(200, 64, 1));
    assertTrue(depth >= 8 && depth <= 12, "mean leaf depth " + depth);
    assertEquals(6, SyntheticModels.meanLeafDepth(SyntheticModels.oblivious(3, 64, 1)));
  }
}
