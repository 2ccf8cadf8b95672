// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorer;
import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorers;
import io.quickscorer.engine.linear.LinearScorer;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.papers.quickscorer.RapidScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.papers.quickscorer.WideQuickScorer;
import io.quickscorer.papers.traversal.CodegenScorer;
import io.quickscorer.papers.traversal.GatherScorer;
import io.quickscorer.papers.traversal.PredScorer;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.papers.traversal.StructPlusScorer;
import io.quickscorer.papers.traversal.StructScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of this module's engines: which compiler serves which {@link Algorithm}, and so the
 * table of all names that users may write. A new engine is a row here; its name, what it supports,
 * and which plans it has, it says itself.
 */
public final class Engines {
  private static final Map<Algorithm, Engine> TABLE = new LinkedHashMap<>();

  static {
    add(Algorithm.OBJECT, ReferenceScorer::compile);
    add(Algorithm.LINEAR, (ensemble, progress) -> LinearScorer.compile(ensemble));
    add(Algorithm.STRUCT, StructScorer::compile);
    add(Algorithm.STRUCT_PLUS, StructPlusScorer::compile);
    add(Algorithm.CODEGEN, CodegenScorer::compile);
    add(Algorithm.PRED, PredScorer::compile);
    add(Algorithm.VPRED, VPredScorer::compile);
    addWidths(GatherScorer::compile, GatherScorer.WIDTHS);
    add(Algorithm.QS, QuickScorer::compile);
    add(
        Algorithm.BWQS,
        (ensemble, progress) ->
            BlockwiseQuickScorer.compile(ensemble, BlockwiseQuickScorer.TREES_PER_BLOCK, progress),
        BlockwiseQuickScorer::compile);
    add(Algorithm.QS_WIDE, WideQuickScorer::compile);
    addWidths(VectorQuickScorer::compile, VectorQuickScorer::compile, VectorQuickScorer.WIDTHS);
    addWidths(RapidScorer::compile, RapidScorer::compile, RapidScorer.WIDTHS);
    addWidths(HeavyPathScorers::compile, HeavyPathScorers.WIDTHS);
    add(
        Algorithm.BIT_SLICED,
        BitSlicedScorer::compile,
        (ensemble, trees, progress) -> BitSlicedScorers.compileAllWidths(ensemble, progress));
    addWidths(BitSlicedScorers::compile, BitSlicedScorers.WIDTHS);
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

  /** All names that users may write, those of other modules' engines included. */
  public static List<Algorithm> names() {
    List<Algorithm> names = new ArrayList<>(List.of(Algorithm.AUTO, Algorithm.CPU));
    names.addAll(TABLE.keySet());
    names.addAll(List.of(Algorithm.GPU_QS, Algorithm.GPU));
    return names;
  }

  /**
   * The algorithm of a name.
   *
   * @throws IllegalArgumentException naming the possible ones
   */
  public static Algorithm named(String label) {
    String wanted = label.toLowerCase(Locale.ROOT);
    for (Algorithm algorithm : names()) {
      if (algorithm.label().equals(wanted)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException(
        names().stream()
            .map(Algorithm::label)
            .collect(Collectors.joining(", ", "unknown algorithm, expected one of ", "")));
  }

  private static void add(Algorithm algorithm, Compiler compiler) {
    add(algorithm, compiler, (ensemble, trees, progress) -> compiler.compile(ensemble, progress));
  }

  private static void add(Algorithm algorithm, Compiler compiler, PlannedCompiler planned) {
    TABLE.put(algorithm, new Engine(compiler, planned));
  }

  private static void addWidths(WidthCompiler compiler, List<Algorithm> widths) {
    addWidths(
        compiler,
        (ensemble, bits, trees, progress) -> compiler.compile(ensemble, bits, progress),
        widths);
  }

  private static void addWidths(
      WidthCompiler compiler, PlannedWidthCompiler planned, List<Algorithm> widths) {
    for (Algorithm algorithm : widths) {
      int bits = algorithm.width();
      add(
          algorithm,
          (ensemble, progress) -> compiler.compile(ensemble, bits, progress),
          (ensemble, trees, progress) -> planned.compile(ensemble, bits, trees, progress));
    }
  }
}
