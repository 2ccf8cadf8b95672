// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.bitsliced.BitProgram;
import io.quickscorer.engine.bitsliced.BitSlicedScorer;
import io.quickscorer.engine.bitsliced.BitSlicedScorers;
import io.quickscorer.engine.quickscorer.VectorQuickScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.papers.quickscorer.RapidScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.ArrayList;
import java.util.List;

/** Lists the plans of a compiled engine, and creates engines that follow a given plan. */
public final class Plans {
  private Plans() {}

  /** Returns the plan (order of work) that an engine follows by default. */
  public static ScoringPlan own(EnsembleScorer engine) {
    return switch (engine) {
      case BlockScorer blocks ->
          new ScoringPlan(
              blocks.algorithm(),
              blocks.treesPerUnit(),
              LoopOrder.DSD,
              blocks.documentsPerBlock(),
              1);
      case BitSlicedScorer bits -> of(bits, bits.documentsPerBlock());
      default -> new ScoringPlan(engine.algorithm(), Math.max(1, engine.ensemble().trees().size()));
    };
  }

  private static ScoringPlan of(BitSlicedScorer bits, int documents) {
    return new ScoringPlan(bits.algorithm(), BitProgram.GROUP, LoopOrder.DSD, documents, 1);
  }

  /**
   * Returns the plans that may be fast for a batch size. The engine's default plan is the first
   * one.
   *
   * @param documents number of documents of a batch, at least 1
   * @param caches the cache sizes of the machine that scores
   */
  static List<ScoringPlan> candidates(EnsembleScorer engine, int documents, CacheSizes caches) {
    List<ScoringPlan> plans = new ArrayList<>();
    plans.add(own(engine));
    switch (engine) {
      case BlockScorer blocks -> plans.addAll(RangeCase.plans(blocks, documents, caches));
      case BitSlicedScorer bits -> bits.blockSizes().forEach(size -> plans.add(of(bits, size)));
      default -> {}
    }
    return plans.stream().distinct().toList();
  }

  /** Returns whether a plan is for the engine's algorithm and number of trees per block (unit). */
  static boolean isFor(EnsembleScorer engine, ScoringPlan plan) {
    return plan.algorithm() == engine.algorithm()
        && plan.treesPerUnit() == own(engine).treesPerUnit();
  }

  /**
   * Returns a scorer that runs a compiled engine with a plan. The engine and the scorer can use
   * each other's scratch.
   *
   * @throws IllegalArgumentException if the engine does not support the plan
   */
  public static EnsembleScorer under(EnsembleScorer engine, ScoringPlan plan) {
    if (plan.equals(own(engine))) {
      return engine;
    }
    if (engine instanceof BlockScorer blocks) {
      return new PlannedScorer(blocks, plan);
    }
    if (engine instanceof BitSlicedScorer bits && plan.equals(of(bits, plan.documents()))) {
      return bits.upTo(plan.documents());
    }
    throw new IllegalArgumentException(
        "plan ["
            + plan
            + "] is not for engine ["
            + engine.algorithm()
            + "], expected a plan such as ["
            + own(engine)
            + "]");
  }

  /**
   * Compiles the engine of a plan. The compiled engine can also run other plans.
   *
   * @param ensemble an ensemble without derived columns
   * @throws io.quickscorer.scorer.UnsupportedEnsembleException if the engine does not support the
   *     ensemble or this JVM
   * @throws IllegalArgumentException if the algorithm is AUTO or CPU, which select an engine
   *     themselves
   */
  static EnsembleScorer compile(TreeEnsemble ensemble, ScoringPlan plan) {
    Algorithm algorithm = plan.algorithm();
    if (algorithm == Algorithm.AUTO || algorithm == Algorithm.CPU) {
      throw new IllegalArgumentException(
          "plan ["
              + plan
              + "]: ["
              + algorithm
              + "] selects an engine itself, expected the name of an engine");
    }
    int trees = plan.treesPerUnit();
    if (ensemble.linear() == null && !ensemble.isBagged() && !ensemble.hasLinearLeaves()) {
      if (algorithm == BlockwiseQuickScorer.ALGORITHM) {
        return BlockwiseQuickScorer.compile(ensemble, trees, CompileProgress.NONE);
      }
      if (VectorQuickScorer.WIDTHS.contains(algorithm)) {
        return VectorQuickScorer.compile(ensemble, algorithm.width(), trees, CompileProgress.NONE);
      }
      if (RapidScorer.WIDTHS.contains(algorithm)) {
        return RapidScorer.compile(ensemble, algorithm.width(), trees, CompileProgress.NONE);
      }
      if (algorithm == Algorithm.BIT_SLICED) {
        return BitSlicedScorers.compileAllWidths(ensemble, CompileProgress.NONE);
      }
    }
    return ScorerCompiler.compile(ensemble, algorithm);
  }
}
