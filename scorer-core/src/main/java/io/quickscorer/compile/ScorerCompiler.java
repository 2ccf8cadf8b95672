// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

public final class ScorerCompiler {
  /**
   * Estimated fraction of the compile work that is complete before the GPU's engine is compiled.
   * Used to report progress.
   */
  private static final double SHARE_OF_CPU = 0.9;

  private ScorerCompiler() {}

  /**
   * Compiles an ensemble. {@link Algorithm#AUTO} always succeeds.
   *
   * @throws UnsupportedEnsembleException if a named algorithm does not support the ensemble or is
   *     not available in this JVM
   * @throws CancellationException if the thread is interrupted; the interrupt is cleared
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, Algorithm algorithm) {
    return compile(ensemble, algorithm, CompileProgress.NONE);
  }

  /**
   * Compiles an ensemble and reports progress.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, Algorithm algorithm, CompileProgress progress) {
    return compile(ensemble, algorithm, Set.of(), progress);
  }

  /**
   * Compiles an ensemble without the excluded engines. {@link Algorithm#AUTO} and {@link
   * Algorithm#CPU} use the reference engine if no other engine is left.
   *
   * @throws UnsupportedEnsembleException also if the algorithm itself is excluded
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    if (excluded.contains(algorithm)) {
      throw new UnsupportedEnsembleException(
          algorithm
              + ": the caller excluded this engine for this model, for example because it computed"
              + " a wrong score");
    }
    progress.report(0, 1);
    TreeEnsemble columns = ensemble.overColumns();
    EnsembleScorer scorer =
        columns.linear() != null
            ? linear(columns, algorithm, excluded)
            : isForWalkers(columns)
                ? walker(columns, algorithm, excluded, progress)
                : trees(columns, algorithm, excluded, progress);
    return finished(derived(ensemble, scorer), progress);
  }

  /**
   * Returns the columns that splits test: the features, and the {@linkplain TreeEnsemble#derived
   * derived columns}, if any.
   *
   * @param matrix one column per feature of the ensemble
   */
  public static FeatureMatrix columns(TreeEnsemble ensemble, FeatureMatrix matrix) {
    if (ensemble.derived() == null) {
      return matrix;
    }
    ColumnDeriver deriver = new ColumnDeriver(ensemble);
    FeatureMatrix columns = new FeatureMatrix(deriver.columns(), matrix.documents());
    deriver.derive(matrix, columns, Checkpoint.NONE);
    return columns;
  }

  /** Wraps an engine in a scorer that computes the derived columns first. */
  private static EnsembleScorer derived(TreeEnsemble ensemble, EnsembleScorer engine) {
    return ensemble.derived() == null ? engine : new DerivedScorer(ensemble, engine);
  }

  private static EnsembleScorer finished(EnsembleScorer scorer, CompileProgress progress) {
    try {
      progress.report(1, 1);
      return scorer;
    } catch (CancellationException e) {
      // Otherwise, memory of a device would stay allocated.
      scorer.close();
      throw e;
    }
  }

  private static EnsembleScorer trees(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    if (algorithm == Algorithm.AUTO) {
      return accelerated(
          AutoScorer.compile(ensemble, algorithm, excluded, progress.part(0, SHARE_OF_CPU)),
          excluded,
          progress.part(SHARE_OF_CPU, 1));
    }
    if (algorithm == Algorithm.CPU) {
      return AutoScorer.compile(ensemble, algorithm, excluded, progress);
    }
    if (algorithm == Algorithm.LINEAR) {
      throw new UnsupportedEnsembleException(
          algorithm
              + ": only linear models are supported, but the model has "
              + ensemble.trees().size()
              + " trees");
    }
    Engines.Compiler compiler = Engines.of(algorithm);
    return compiler == null
        ? Providers.compile(ensemble, algorithm, excluded, progress)
        : compiler.compile(ensemble, progress);
  }

  /**
   * Returns a CPU engine that supports an ensemble and shares no code with the reference engine or
   * with {@code other}; null if there is none.
   */
  public static @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    if (ensemble.linear() != null) {
      return other == Algorithm.LINEAR ? null : Algorithm.LINEAR;
    }
    return Providers.independent(ensemble, other);
  }

  /** Returns whether only engines that follow each tree from its root support an ensemble. */
  private static boolean isForWalkers(TreeEnsemble ensemble) {
    return ensemble.isBagged() || ensemble.hasLinearLeaves();
  }

  /**
   * Compiles an ensemble for an engine that supports all ensembles, such as the reference engine.
   */
  private static EnsembleScorer walker(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    Algorithm walker = independent(ensemble, Algorithm.OBJECT);
    if (!isChoice(algorithm) && algorithm != Algorithm.OBJECT && algorithm != walker) {
      throw new UnsupportedEnsembleException(
          algorithm
              + (ensemble.isBagged()
                  ? ": bags of trees (separate forests, whose sums are added) are not supported"
                  : ": leaves with linear functions are not supported")
              + "; use auto"
              + (walker == null ? "" : ", " + walker)
              + " or object");
    }
    if (walker == null || algorithm == Algorithm.OBJECT || excluded.contains(walker)) {
      return ReferenceScorer.compile(ensemble, progress);
    }
    try {
      return Providers.compile(ensemble, walker, excluded, progress);
    } catch (UnsupportedEnsembleException e) {
      if (algorithm == walker) {
        throw e;
      }
      return ReferenceScorer.compile(ensemble, progress);
    }
  }

  private static EnsembleScorer linear(
      TreeEnsemble ensemble, Algorithm algorithm, Set<Algorithm> excluded) {
    if (algorithm == Algorithm.OBJECT) {
      return ReferenceScorer.compile(ensemble);
    }
    if (!isChoice(algorithm) && algorithm != Algorithm.LINEAR) {
      throw new UnsupportedEnsembleException(
          algorithm + ": the model is linear and has no trees; use auto or linear");
    }
    return excluded.contains(Algorithm.LINEAR)
        ? ReferenceScorer.compile(ensemble)
        : LinearScorer.compile(ensemble);
  }

  /** Returns whether an algorithm is AUTO or CPU, for which this library chooses the engine. */
  private static boolean isChoice(Algorithm algorithm) {
    return algorithm == Algorithm.AUTO || algorithm == Algorithm.CPU;
  }

  /** Returns a scorer that uses a GPU or other hardware if faster; otherwise {@code cpu}. */
  private static EnsembleScorer accelerated(
      EnsembleScorer cpu, Set<Algorithm> excluded, CompileProgress progress) {
    for (ScorerProvider provider : Providers.all()) {
      boolean usable =
          Collections.disjoint(excluded, provider.algorithms())
              && Providers.unavailable(provider).isEmpty();
      EnsembleScorer faster =
          usable ? Providers.loaded(() -> provider.accelerate(cpu, progress), cpu) : cpu;
      if (faster != cpu) {
        return faster;
      }
    }
    return cpu;
  }

  /** Returns the devices in use in addition to the CPU, without searching for further ones. */
  public static Accelerators accelerators() {
    Accelerators all = Accelerators.NONE;
    for (ScorerProvider provider : Providers.all()) {
      all = all.and(Providers.loaded(provider::accelerators, Accelerators.NONE));
    }
    return all;
  }
}
