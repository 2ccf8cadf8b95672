package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.bitsliced.BitSlicedScorer;
import io.quickscorer.scorer.plan.BatchPlans;
import io.quickscorer.scorer.quick.BlockwiseQuickScorer;
import io.quickscorer.scorer.quick.QuickScorer;
import io.quickscorer.scorer.quick.WideQuickScorer;
import io.quickscorer.scorer.traversal.CodegenScorer;
import io.quickscorer.scorer.traversal.PredScorer;
import io.quickscorer.scorer.traversal.ReferenceScorer;
import io.quickscorer.scorer.traversal.StructPlusScorer;
import io.quickscorer.scorer.traversal.StructScorer;
import io.quickscorer.scorer.traversal.VPredScorer;
import io.quickscorer.scorer.vector.BitSlicedScorers;
import io.quickscorer.scorer.vector.GatherScorer;
import io.quickscorer.scorer.vector.HeavyPathScorers;
import io.quickscorer.scorer.vector.RapidScorer;
import io.quickscorer.scorer.vector.VectorQuickScorer;
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
    return compile(ensemble, algorithm, CompileProgress.UNHEARD);
  }

  /**
   * The same with somebody waiting.
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
    EnsembleScorer scorer =
        ensemble.linear() != null
            ? linear(ensemble, algorithm, excluded)
            : ensemble.isBagged()
                ? bagged(ensemble, algorithm, excluded, progress)
                : trees(ensemble, algorithm, excluded, progress);
    return finished(scorer, progress);
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
    return switch (algorithm) {
      case AUTO ->
          accelerated(
              AutoScorer.compile(ensemble, algorithm, excluded, progress.part(0, SHARE_OF_CPU)),
              excluded,
              progress.part(SHARE_OF_CPU, 1));
      case CPU -> AutoScorer.compile(ensemble, algorithm, excluded, progress);
      case OBJECT -> ReferenceScorer.compile(ensemble, progress);
      case LINEAR ->
          throw new UnsupportedEnsembleException(
              algorithm + ": the model has " + ensemble.trees().size() + " trees, expected none");
      case STRUCT -> StructScorer.compile(ensemble, progress);
      case STRUCT_PLUS -> StructPlusScorer.compile(ensemble, progress);
      case CODEGEN -> CodegenScorer.compile(ensemble, progress);
      case PRED -> PredScorer.compile(ensemble, progress);
      case VPRED -> VPredScorer.compile(ensemble, progress);
      case VPRED_128 -> GatherScorer.compile(ensemble, 128, progress);
      case VPRED_256 -> GatherScorer.compile(ensemble, 256, progress);
      case VPRED_512 -> GatherScorer.compile(ensemble, 512, progress);
      case QS -> QuickScorer.compile(ensemble, progress);
      case BWQS ->
          BlockwiseQuickScorer.compile(ensemble, BlockwiseQuickScorer.TREES_PER_BLOCK, progress);
      case QS_WIDE -> WideQuickScorer.compile(ensemble, progress);
      case VQS_128 -> VectorQuickScorer.compile(ensemble, 128, progress);
      case VQS_256 -> VectorQuickScorer.compile(ensemble, 256, progress);
      case VQS_512 -> VectorQuickScorer.compile(ensemble, 512, progress);
      case RAPID_128 -> RapidScorer.compile(ensemble, 128, progress);
      case RAPID_256 -> RapidScorer.compile(ensemble, 256, progress);
      case RAPID_512 -> RapidScorer.compile(ensemble, 512, progress);
      case HEAVY_PATH_128 -> HeavyPathScorers.compile(ensemble, 128, progress);
      case HEAVY_PATH_256 -> HeavyPathScorers.compile(ensemble, 256, progress);
      case HEAVY_PATH_512 -> HeavyPathScorers.compile(ensemble, 512, progress);
      case BIT_SLICED -> BitSlicedScorer.compile(ensemble, progress);
      case BIT_SLICED_128 -> BitSlicedScorers.compile(ensemble, 128, progress);
      case BIT_SLICED_256 -> BitSlicedScorers.compile(ensemble, 256, progress);
      case BIT_SLICED_512 -> BitSlicedScorers.compile(ensemble, 512, progress);
      case GPU_QS, GPU -> provided(algorithm).compile(ensemble, progress);
    };
  }

  /**
   * Compiles what plans prescribe; they stay in force.
   *
   * @throws UnsupportedEnsembleException if an engine cannot take the ensemble or is not available
   *     in this JVM
   * @throws IllegalArgumentException if an engine has no such plan
   */
  public static EnsembleScorer compile(TreeEnsemble ensemble, BatchPlans plans) {
    return compile(ensemble, plans, CompileProgress.UNHEARD);
  }

  /**
   * The same with somebody waiting.
   *
   * @throws CancellationException if the result is no longer wanted or the thread is interrupted;
   *     the interrupt is cleared
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, BatchPlans plans, CompileProgress progress) {
    return finished(AutoScorer.compile(ensemble, plans, progress), progress);
  }

  /**
   * Lets a named engine look for its plans: {@link EnsembleScorer#plan} of the result finds the
   * order and the blocks in which the engine is fastest, for each class of batch sizes. What has
   * nothing to choose, or chooses already, is returned as it is.
   */
  public static EnsembleScorer planning(EnsembleScorer engine) {
    return engine instanceof BlockScorer || engine instanceof BitSlicedScorer
        ? AutoScorer.of(engine)
        : engine;
  }

  /**
   * An engine for the CPU that takes an ensemble and shares no code with the reference nor with
   * another engine; null if there is none.
   */
  public static @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    Algorithm engine =
        ensemble.linear() != null
            ? Algorithm.LINEAR
            : ensemble.isBagged() ? Algorithm.VPRED : Algorithm.STRUCT_PLUS;
    boolean same =
        other == engine || (other == Algorithm.STRUCT && engine == Algorithm.STRUCT_PLUS);
    return !same ? engine : engine == Algorithm.STRUCT_PLUS ? Algorithm.PRED : null;
  }

  private static EnsembleScorer bagged(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    return switch (algorithm) {
      case AUTO, CPU, VPRED ->
          excluded.contains(Algorithm.VPRED)
              ? ReferenceScorer.compile(ensemble, progress)
              : BaggedScorer.compile(ensemble, progress);
      case OBJECT -> ReferenceScorer.compile(ensemble, progress);
      default ->
          throw new UnsupportedEnsembleException(
              algorithm + ": the model's trees are summed in bags; use auto, vpred or object");
    };
  }

  private static EnsembleScorer linear(
      TreeEnsemble ensemble, Algorithm algorithm, Set<Algorithm> excluded) {
    return switch (algorithm) {
      case AUTO, CPU, LINEAR ->
          excluded.contains(Algorithm.LINEAR)
              ? ReferenceScorer.compile(ensemble)
              : LinearScorer.compile(ensemble);
      case OBJECT -> ReferenceScorer.compile(ensemble);
      default ->
          throw new UnsupportedEnsembleException(
              algorithm + ": the model is linear and has no trees; use auto or linear");
    };
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
