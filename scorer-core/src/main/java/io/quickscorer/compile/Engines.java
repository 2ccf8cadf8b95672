// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.bitsliced.BitSlicedScorer;
import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.quickscorer.QuickScorer;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of this module's engines: each {@link Algorithm} and its compiler. */
public final class Engines {
  private static final Map<Algorithm, Compiler> TABLE = new LinkedHashMap<>();

  static {
    TABLE.put(Algorithm.OBJECT, ReferenceScorer::compile);
    TABLE.put(Algorithm.LINEAR, (ensemble, progress) -> LinearScorer.compile(ensemble));
    TABLE.put(Algorithm.QS, QuickScorer::compile);
    addWidths(TABLE, VectorQuickScorer::compile, VectorQuickScorer.WIDTHS);
    addWidths(TABLE, HeavyPathScorer::compile, HeavyPathScorer.WIDTHS);
    TABLE.put(Algorithm.BIT_SLICED, BitSlicedScorer::compile);
    addWidths(TABLE, BitSlicedScorers::compile, BitSlicedScorers.WIDTHS);
  }

  private Engines() {}

  /** Compiles ensembles for one engine. */
  public interface Compiler {
    /**
     * Compiles an ensemble for one engine.
     *
     * @throws UnsupportedEnsembleException if the engine does not support the ensemble or is not
     *     available in this JVM
     */
    EnsembleScorer compile(TreeEnsemble ensemble, CompileProgress progress);
  }

  /** Compiles ensembles for an engine that has several vector widths. */
  public interface WidthCompiler {
    /**
     * Compiles an ensemble for one vector width.
     *
     * @param bits the width of the vectors: 128, 256 or 512
     * @throws UnsupportedEnsembleException if the engine does not support the ensemble or is not
     *     available in this JVM
     */
    EnsembleScorer compile(TreeEnsemble ensemble, int bits, CompileProgress progress);
  }

  /** Returns the compiler of an engine; null for AUTO, CPU and engines of other modules. */
  static @Nullable Compiler of(Algorithm algorithm) {
    return TABLE.get(algorithm);
  }

  /**
   * Returns the names of all algorithms that users may choose, including those of other modules.
   */
  public static List<Algorithm> names() {
    List<Algorithm> names = new ArrayList<>(List.of(Algorithm.AUTO, Algorithm.CPU));
    names.addAll(TABLE.keySet());
    names.addAll(List.of(Algorithm.GPU_QS, Algorithm.GPU));
    for (ScorerProvider provider : Providers.all()) {
      for (Algorithm algorithm : provider.algorithms()) {
        if (!names.contains(algorithm)) {
          names.add(algorithm);
        }
      }
    }
    return names;
  }

  /**
   * Returns the algorithm with a name; case does not matter.
   *
   * @throws IllegalArgumentException if there is none; the message lists the possible names
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

  /**
   * Adds an engine to a table of compilers, once for each of its vector widths.
   *
   * @param widths the names of the engine, each with its own width
   */
  public static void addWidths(
      Map<Algorithm, Compiler> table, WidthCompiler compiler, List<Algorithm> widths) {
    for (Algorithm algorithm : widths) {
      int bits = algorithm.width();
      table.put(algorithm, (ensemble, progress) -> compiler.compile(ensemble, bits, progress));
    }
  }
}
