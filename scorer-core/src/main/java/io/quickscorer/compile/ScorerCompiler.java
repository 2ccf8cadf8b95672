// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.derived.ColumnDeriver;
import io.quickscorer.engine.derived.DerivedScorer;
import io.quickscorer.engine.linear.LinearScorer;
import io.quickscorer.papers.traversal.BaggedScorer;
import io.quickscorer.papers.traversal.LinearLeafScorer;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.papers.plan.BatchPlans;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.papers.plan.ScoringPlan;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Compiles an ensemble for an algorithm. Stateless. */
public final class ScorerCompiler {
  private static final Logger LOG = System.getLogger(ScorerCompiler.class.getName());

  /** What the engines for the CPU are of the work, where a device has one of its own: about. */
  private static final double SHARE_OF_CPU = 0.9;

  private ScorerCompiler() {}

  /**
   * @throws UnsupportedEnsembleException if a named algorithm cannot take the ensemble or is not
   *     available in this JVM; {@link Algorithm#AUTO} always succeeds
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, Algorithm algorithm) {
    return compile(ensemble, algorithm, CompileProgress.NONE);
  }

  /**
   * The same, reporting progress.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, Algorithm algorithm, CompileProgress progress) {
    return compile(ensemble, algorithm, Set.of(), progress);
  }

  /**
   * The same without some engines: {@link Algorithm#AUTO} and {@link Algorithm#CPU} pick from the
   * others, in the end the reference.
   *
   * @throws UnsupportedEnsembleException also if the algorithm is one of those excluded
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    if (excluded.contains(algorithm)) {
      throw new UnsupportedEnsembleException(algorithm + ": excluded for this model");
    }
    progress.report(0, 1);
    TreeEnsemble columns = ensemble.overColumns();
    EnsembleScorer scorer =
        columns.linear() != null
            ? linear(columns, algorithm, excluded)
            : isForVPred(columns)
                ? vpred(columns, algorithm, excluded, progress)
                : trees(columns, algorithm, excluded, progress);
    return finished(derived(ensemble, scorer), progress);
  }

  /**
   * What splits test: the documents' features and, where an ensemble has any, its {@linkplain
   * TreeEnsemble#derived derived columns}.
   *
   * @param matrix one column per feature of the ensemble
   */
  public static FeatureMatrix columns(TreeEnsemble ensemble, FeatureMatrix matrix) {
    if (ensemble.derived() == null) {
      return matrix;
    }
    ColumnDeriver deriver = new ColumnDeriver(ensemble);
    FeatureMatrix columns = new FeatureMatrix(deriver.columns(), matrix.documents());
    deriver.derive(matrix, columns);
    return columns;
  }

  /** What an engine's scores need before them, where columns are derived. */
  private static EnsembleScorer derived(TreeEnsemble ensemble, EnsembleScorer engine) {
    return ensemble.derived() == null ? engine : new DerivedScorer(ensemble, engine);
  }

  private static EnsembleScorer finished(EnsembleScorer scorer, CompileProgress progress) {
    try {
      progress.report(1, 1);
      return scorer;
    } catch (CancellationException e) {
      // It may hold memory of a device.
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
          algorithm + ": the model has " + ensemble.trees().size() + " trees, expected none");
    }
    Engines.Engine engine = Engines.of(algorithm);
    return engine == null
        ? provided(algorithm).compile(ensemble, excluded, progress)
        : engine.compiler().compile(ensemble, progress);
  }

  /**
   * Compiles an engine for a plan; several plans of one engine can share the result.
   *
   * @param excluded engines that must not score the ensemble, not even beside the plan's
   * @throws UnsupportedEnsembleException if the engine cannot take the ensemble, is excluded or is
   *     not available in this JVM
   * @throws IllegalArgumentException if the algorithm is one that chooses by itself
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, ScoringPlan plan, Set<Algorithm> excluded, CompileProgress progress) {
    Algorithm algorithm = plan.algorithm();
    if (picks(algorithm)) {
      throw new IllegalArgumentException(
          "plan " + plan + ": " + algorithm + " picks engines, expected an engine");
    }
    Engines.Engine engine = Engines.of(algorithm);
    boolean oneEngine = ensemble.linear() != null || isForVPred(ensemble);
    return engine == null || oneEngine || excluded.contains(algorithm)
        ? compile(ensemble, algorithm, excluded, progress)
        : derived(
            ensemble,
            engine.planned().compile(ensemble.overColumns(), plan.treesPerUnit(), progress));
  }

  /**
   * Compiles what plans prescribe; they stay in force.
   *
   * @throws UnsupportedEnsembleException if an engine cannot take the ensemble or is not available
   *     in this JVM
   * @throws IllegalArgumentException if an engine has no such plan
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, BatchPlans plans) {
    return compile(ensemble, plans, Set.of(), CompileProgress.NONE);
  }

  /**
   * The same without some engines, reporting progress.
   *
   * @param excluded engines that must not score the ensemble, not even beside the plans'
   * @throws UnsupportedEnsembleException also if a plan's engine is one of those excluded
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, BatchPlans plans, Set<Algorithm> excluded, CompileProgress progress) {
    EnsembleScorer scorer = AutoScorer.compile(ensemble.overColumns(), plans, excluded, progress);
    return finished(derived(ensemble, scorer), progress);
  }

  /**
   * Lets a named engine look for its plans: {@link EnsembleScorer#plan} of the result finds the
   * order and the blocks in which the engine is fastest, for each class of batch sizes. What has
   * nothing to choose, or chooses already, is returned as it is.
   */
  public static EnsembleScorer planning(EnsembleScorer engine) {
    EnsembleScorer columns = engine.ofColumns();
    return columns.hasPlans() ? derived(engine.ensemble(), AutoScorer.of(columns)) : engine;
  }

  /**
   * An engine for the CPU that takes an ensemble and shares no code with the reference nor with
   * another engine; null if there is none.
   */
  public static @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    Algorithm engine =
        ensemble.linear() != null
            ? Algorithm.LINEAR
            : isForVPred(ensemble) ? Algorithm.VPRED : Algorithm.STRUCT_PLUS;
    boolean same =
        other == engine || (other == Algorithm.STRUCT && engine == Algorithm.STRUCT_PLUS);
    return !same ? engine : engine == Algorithm.STRUCT_PLUS ? Algorithm.PRED : null;
  }

  /** Whether what only {@link Algorithm#VPRED} and the reference do is done with the leaves. */
  private static boolean isForVPred(TreeEnsemble ensemble) {
    return ensemble.isBagged() || ensemble.hasLinearLeaves();
  }

  private static EnsembleScorer vpred(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    if (algorithm == Algorithm.OBJECT) {
      return ReferenceScorer.compile(ensemble, progress);
    }
    if (!picks(algorithm) && algorithm != Algorithm.VPRED) {
      throw new UnsupportedEnsembleException(
          algorithm
              + (ensemble.isBagged()
                  ? ": the model's trees are summed in bags"
                  : ": the model's leaves are linear functions")
              + "; use auto, vpred or object");
    }
    if (excluded.contains(Algorithm.VPRED)) {
      return ReferenceScorer.compile(ensemble, progress);
    }
    return ensemble.isBagged()
        ? BaggedScorer.compile(ensemble, progress)
        : LinearLeafScorer.compile(ensemble, progress);
  }

  private static EnsembleScorer linear(
      TreeEnsemble ensemble, Algorithm algorithm, Set<Algorithm> excluded) {
    if (algorithm == Algorithm.OBJECT) {
      return ReferenceScorer.compile(ensemble);
    }
    if (!picks(algorithm) && algorithm != Algorithm.LINEAR) {
      throw new UnsupportedEnsembleException(
          algorithm + ": the model is linear and has no trees; use auto or linear");
    }
    return excluded.contains(Algorithm.LINEAR)
        ? ReferenceScorer.compile(ensemble)
        : LinearScorer.compile(ensemble);
  }

  /** Whether a name picks an engine rather than being one. */
  private static boolean picks(Algorithm algorithm) {
    return algorithm == Algorithm.AUTO || algorithm == Algorithm.CPU;
  }

  /** What a provider makes of a scorer for the CPU; the scorer itself where none has anything. */
  private static EnsembleScorer accelerated(
      EnsembleScorer cpu, Set<Algorithm> excluded, CompileProgress progress) {
    try {
      for (ScorerProvider provider : providers()) {
        boolean usable =
            !excluded.contains(provider.algorithm()) && provider.unavailable().isEmpty();
        EnsembleScorer faster = usable ? provider.accelerate(cpu, progress) : cpu;
        if (faster != cpu) {
          return faster;
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      LOG.log(Level.WARNING, "a module that adds scorers does not load, the CPU scores", e);
    }
    return cpu;
  }

  /** The devices in use beside the CPU; does not look for any. */
  public static Accelerators accelerators() {
    Accelerators all = Accelerators.NONE;
    try {
      for (ScorerProvider provider : providers()) {
        all = all.and(provider.accelerators());
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      LOG.log(Level.DEBUG, "a module that adds scorers does not load", e);
    }
    return all;
  }

  private static ServiceLoader<ScorerProvider> providers() {
    return ServiceLoader.load(ScorerProvider.class, ScorerProvider.class.getClassLoader());
  }

  private static ScorerProvider provided(Algorithm algorithm) {
    String why = "no module provides it";
    try {
      for (ScorerProvider provider : providers()) {
        if (provider.algorithm() == algorithm) {
          why = provider.unavailable();
          if (why.isEmpty()) {
            return provider;
          }
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      why = "its module does not load: " + e.getClass().getSimpleName();
    }
    throw new UnsupportedEnsembleException(algorithm + ": " + why);
  }
}
