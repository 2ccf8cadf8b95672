package io.quickscorer.scorer.plan;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerCompiler;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.scorer.bitsliced.BitProgram;
import io.quickscorer.scorer.bitsliced.BitSlicedScorer;
import io.quickscorer.scorer.quick.BlockwiseQuickScorer;
import io.quickscorer.scorer.vector.BitSlicedScorers;
import io.quickscorer.scorer.vector.RapidScorer;
import io.quickscorer.scorer.vector.VectorQuickScorer;
import java.util.ArrayList;
import java.util.List;

/**
 * The plans that compiled engines can follow. One compiled form serves all plans of its {@code
 * tau}:
 *
 * <ul>
 *   <li>a {@link BlockScorer} takes every order and every size of blocks;
 *   <li>the bit-sliced scorer takes documents block by block, {@code DSD}: its {@code d} is the
 *       size of the widest bitmaps, 64, 128, 256 or 512 documents. Its trees come in groups of
 *       fixed size, and other orders have nothing to win: a group is read once per block, in order;
 *   <li>any other engine has its own order, {@code DS}.
 * </ul>
 */
public final class EnginePlans {
  private EnginePlans() {}

  /** The plan an engine follows when nobody says otherwise. */
  public static ScoringPlan own(EnsembleScorer engine) {
    return switch (engine) {
      case PlannedScorer planned -> planned.plan();
      case BlockScorer blocks -> blocks(blocks, LoopOrder.DSD, blocks.documentsPerBlock(), 1);
      case BitSlicedScorer bits -> bits(bits, bits.documentsPerBlock());
      default -> {
        int trees = Math.max(1, engine.ensemble().trees().size());
        yield new ScoringPlan(engine.algorithm(), trees, LoopOrder.DS, 1, 1);
      }
    };
  }

  private static ScoringPlan blocks(BlockScorer engine, LoopOrder order, int documents, int units) {
    return new ScoringPlan(engine.algorithm(), engine.treesPerUnit(), order, documents, units);
  }

  private static ScoringPlan bits(BitSlicedScorer engine, int documents) {
    return new ScoringPlan(engine.algorithm(), BitProgram.GROUP, LoopOrder.DSD, documents, 1);
  }

  /**
   * A compiled engine under a plan. The result needs scratch of the engine's kind: buffers may be
   * shared by all plans of one engine.
   *
   * @throws IllegalArgumentException if the plan is not one of this engine's
   */
  public static EnsembleScorer under(EnsembleScorer engine, ScoringPlan plan) {
    if (plan.equals(own(engine))) {
      return engine;
    }
    return switch (engine) {
      case BlockScorer blocks -> new PlannedScorer(blocks, plan);
      case BitSlicedScorer bits when plan.equals(bits(bits, plan.documents())) ->
          bits.upTo(plan.documents());
      default ->
          throw new IllegalArgumentException(
              "plan " + plan + ", " + engine.algorithm() + " has " + own(engine));
    };
  }

  /** Whether a plan is one of this engine's. */
  public static boolean follows(EnsembleScorer engine, ScoringPlan plan) {
    return plan.algorithm() == engine.algorithm()
        && plan.treesPerUnit() == own(engine).treesPerUnit();
  }

  /** The plans worth timing for batches of a size, the engine's own first. */
  static List<ScoringPlan> candidates(EnsembleScorer engine, int documents, CacheSizes caches) {
    List<ScoringPlan> plans = new ArrayList<>();
    plans.add(own(engine));
    switch (engine) {
      case BlockScorer blocks -> plans.addAll(RangeCase.plans(blocks, documents, caches));
      case BitSlicedScorer bits -> {
        for (int size : bits.blockSizes()) {
          plans.add(bits(bits, size));
        }
      }
      default -> {}
    }
    return plans.stream().distinct().toList();
  }

  /**
   * Compiles an engine for a plan; several plans of one engine can share the result.
   *
   * @throws UnsupportedEnsembleException if the engine cannot take the ensemble or is not available
   *     in this JVM
   * @throws IllegalArgumentException if the algorithm is one that chooses by itself
   */
  public static EnsembleScorer compile(
      TreeEnsemble ensemble, ScoringPlan plan, CompileProgress progress) {
    int tau = plan.treesPerUnit();
    boolean oneEngine = ensemble.linear() != null || ensemble.isBagged();
    return switch (plan.algorithm()) {
      case AUTO, CPU ->
          throw new IllegalArgumentException(
              "plan " + plan + ": " + plan.algorithm() + " picks engines, expected an engine");
      case Algorithm engine when oneEngine -> ScorerCompiler.compile(ensemble, engine, progress);
      case BWQS -> BlockwiseQuickScorer.compile(ensemble, tau, progress);
      case VQS_128 -> VectorQuickScorer.compile(ensemble, 128, tau, progress);
      case VQS_256 -> VectorQuickScorer.compile(ensemble, 256, tau, progress);
      case VQS_512 -> VectorQuickScorer.compile(ensemble, 512, tau, progress);
      case RAPID_128 -> RapidScorer.compile(ensemble, 128, tau, progress);
      case RAPID_256 -> RapidScorer.compile(ensemble, 256, tau, progress);
      case RAPID_512 -> RapidScorer.compile(ensemble, 512, tau, progress);
      case BIT_SLICED -> BitSlicedScorers.compileAllWidths(ensemble, progress);
      default -> ScorerCompiler.compile(ensemble, plan.algorithm(), progress);
    };
  }

  /** The plan with the engine's tau where its own exceeds the trees there are. */
  public static ScoringPlan fitted(ScoringPlan plan, EnsembleScorer engine) {
    int trees = engine.ensemble().trees().size();
    return plan.treesPerUnit() >= trees ? plan.withTreesPerUnit(own(engine).treesPerUnit()) : plan;
  }
}
