// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorer;
import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorers;
import io.quickscorer.engine.linear.LinearScorer;
import io.quickscorer.engine.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.engine.quickscorer.RapidScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.engine.quickscorer.WideQuickScorer;
import io.quickscorer.engine.traversal.CodegenScorer;
import io.quickscorer.engine.traversal.GatherScorer;
import io.quickscorer.engine.traversal.PredScorer;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.engine.traversal.StructPlusScorer;
import io.quickscorer.engine.traversal.StructScorer;
import io.quickscorer.engine.traversal.VPredScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The table of this module's engines: which compiler serves which {@link Algorithm}. A new engine
 * is a constant there and a row here; what it supports, and which plans it has, it says itself.
 */
public final class Engines {
  private static final Map<Algorithm, Engine> TABLE = new EnumMap<>(Algorithm.class);

  static {
    add(Algorithm.OBJECT, ReferenceScorer::compile);
    add(Algorithm.LINEAR, (ensemble, progress) -> LinearScorer.compile(ensemble));
    add(Algorithm.STRUCT, StructScorer::compile);
    add(Algorithm.STRUCT_PLUS, StructPlusScorer::compile);
    add(Algorithm.CODEGEN, CodegenScorer::compile);
    add(Algorithm.PRED, PredScorer::compile);
    add(Algorithm.VPRED, VPredScorer::compile);
    addWidths(GatherScorer::compile, Algorithm.VPRED_128, Algorithm.VPRED_256, Algorithm.VPRED_512);
    add(Algorithm.QS, QuickScorer::compile);
    add(
        Algorithm.BWQS,
        (ensemble, progress) ->
            BlockwiseQuickScorer.compile(ensemble, BlockwiseQuickScorer.TREES_PER_BLOCK, progress),
        BlockwiseQuickScorer::compile);
    add(Algorithm.QS_WIDE, WideQuickScorer::compile);
    addWidths(
        VectorQuickScorer::compile,
        VectorQuickScorer::compile,
        Algorithm.VQS_128,
        Algorithm.VQS_256,
        Algorithm.VQS_512);
    addWidths(
        RapidScorer::compile,
        RapidScorer::compile,
        Algorithm.RAPID_128,
        Algorithm.RAPID_256,
        Algorithm.RAPID_512);
    addWidths(
        HeavyPathScorers::compile,
        Algorithm.HEAVY_PATH_128,
        Algorithm.HEAVY_PATH_256,
        Algorithm.HEAVY_PATH_512);
    add(
        Algorithm.BIT_SLICED,
        BitSlicedScorer::compile,
        (ensemble, trees, progress) -> BitSlicedScorers.compileAllWidths(ensemble, progress));
    addWidths(
        BitSlicedScorers::compile,
        Algorithm.BIT_SLICED_128,
        Algorithm.BIT_SLICED_256,
        Algorithm.BIT_SLICED_512);
  }

  private Engines() {}

  /**
   * A row of the table.
   *
   * @param compiler makes the engine's own form
   * @param planned makes the form of a plan
   */
  record Engine(Compiler compiler, PlannedCompiler planned) {}

  /** Compiles an engine's own form. */
  interface Compiler {
    /**
     * @throws UnsupportedEnsembleException if the engine cannot take the ensemble or is not
     *     available in this JVM
     */
    EnsembleScorer compile(TreeEnsemble ensemble, CompileProgress progress);
  }

  /** Compiles the form that serves all plans of as many trees per unit. */
  interface PlannedCompiler {
    EnsembleScorer compile(TreeEnsemble ensemble, int treesPerUnit, CompileProgress progress);
  }

  /** An engine with one form per vector width. */
  private interface WidthCompiler {
    EnsembleScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress);
  }

  /** The same for plans. */
  private interface PlannedWidthCompiler {
    EnsembleScorer compile(
        TreeEnsemble ensemble, int bits, int treesPerUnit, CompileProgress progress);
  }

  /** The engine of that name; null for names that pick among engines, and for devices. */
  static @Nullable Engine of(Algorithm algorithm) {
    return TABLE.get(algorithm);
  }

  private static void add(Algorithm algorithm, Compiler compiler) {
    add(algorithm, compiler, (ensemble, trees, progress) -> compiler.compile(ensemble, progress));
  }

  private static void add(Algorithm algorithm, Compiler compiler, PlannedCompiler planned) {
    TABLE.put(algorithm, new Engine(compiler, planned));
  }

  private static void addWidths(WidthCompiler compiler, Algorithm... widths) {
    addWidths(
        compiler,
        (ensemble, bits, trees, progress) -> compiler.compile(ensemble, bits, progress),
        widths);
  }

  private static void addWidths(
      WidthCompiler compiler, PlannedWidthCompiler planned, Algorithm... widths) {
    for (Algorithm algorithm : widths) {
      int bits = algorithm.width();
      add(
          algorithm,
          (ensemble, progress) -> compiler.compile(ensemble, bits, progress),
          (ensemble, trees, progress) -> planned.compile(ensemble, bits, trees, progress));
    }
  }
}
