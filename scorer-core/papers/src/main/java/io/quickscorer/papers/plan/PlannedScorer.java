// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;

/** Runs an engine in the order of a {@link ScoringPlan}. */
record PlannedScorer(BlockScorer blocks, ScoringPlan plan) implements EnsembleScorer {
  /**
   * Creates a scorer that runs an engine with a plan.
   *
   * @throws IllegalArgumentException if the plan is for another algorithm or another number of
   *     trees per unit (block)
   */
  PlannedScorer {
    if (plan.algorithm() != blocks.algorithm() || plan.treesPerUnit() != blocks.treesPerUnit()) {
      throw new IllegalArgumentException(
          "plan ["
              + plan
              + "] is not for engine ["
              + blocks.algorithm()
              + "] with tau="
              + blocks.treesPerUnit()
              + " (trees per unit)");
    }
  }

  @Override
  public TreeEnsemble ensemble() {
    return blocks.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return blocks.algorithm();
  }

  @Override
  public long bytes() {
    return blocks.bytes();
  }

  @Override
  public Scratch newScratch() {
    return blocks.newScratch();
  }

  @Override
  public long scratchBytes(int documents) {
    return blocks.scratchBytes(documents);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble().initialScore());
    blocks.prepare(matrix, 0, documents, scratch);
    int units = blocks.units();
    // A block of documents must start at a multiple of this number.
    int one = blocks.granule();
    int d = Math.multiplyExact(Math.ceilDiv(Math.min(plan.documents(), documents + 1), one), one);
    // All orders are this nest: blocks of documents, blocks of units, smaller blocks of documents,
    // units. An order without one of these loops gives it one step: all documents or all units.
    LoopOrder order = plan.order();
    int outer = order == LoopOrder.DSDS ? d : Math.max(1, documents);
    int s = order == LoopOrder.DS || order == LoopOrder.DSD ? units : plan.units();
    int inner = order == LoopOrder.DSD || order == LoopOrder.SDSD ? d : one;
    // Number of pairs of a document and a tree since the last call of the checkpoint.
    long work = 0;
    for (int from = 0; from < documents; from += outer) {
      int to = Math.min(documents, from + outer);
      for (int first = 0; first < units; first += s) {
        int last = Math.min(units, first + s);
        for (int document = from; document < to; document += inner) {
          int end = Math.min(to, document + inner);
          for (int unit = first; unit < last; unit++) {
            blocks.add(unit, matrix, document, end, scratch, scores);
            work += (long) (end - document) * blocks.treesPerUnit();
            if (work >= Checkpoint.WORK) {
              checkpoint.pass();
              work = 0;
            }
          }
        }
      }
    }
    blocks.finish(0, documents, scores);
  }
}
