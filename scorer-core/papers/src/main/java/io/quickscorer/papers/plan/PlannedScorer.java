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
final class PlannedScorer implements EnsembleScorer {
  private final BlockScorer engine;
  private final ScoringPlan plan;

  /**
   * Creates a scorer that runs an engine with a plan.
   *
   * @throws IllegalArgumentException if the plan is for another algorithm or another number of
   *     trees per unit (block)
   */
  PlannedScorer(BlockScorer engine, ScoringPlan plan) {
    if (plan.algorithm() != engine.algorithm() || plan.treesPerUnit() != engine.treesPerUnit()) {
      throw new IllegalArgumentException(
          "plan ["
              + plan
              + "] is not for engine ["
              + engine.algorithm()
              + "] with tau="
              + engine.treesPerUnit()
              + " (trees per unit)");
    }
    this.engine = engine;
    this.plan = plan;
  }

  @Override
  public TreeEnsemble ensemble() {
    return engine.ensemble();
  }

  @Override
  public Algorithm algorithm() {
    return engine.algorithm();
  }

  @Override
  public long bytes() {
    return engine.bytes();
  }

  @Override
  public Scratch newScratch() {
    return engine.newScratch();
  }

  @Override
  public long scratchBytes(int documents) {
    return engine.scratchBytes(documents);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble().initialScore());
    engine.prepare(matrix, 0, documents, scratch);
    Batch batch = new Batch(engine, matrix, scratch, scores, checkpoint);
    int units = engine.units();
    // A block of documents must start at a multiple of this number.
    int one = engine.granule();
    int d = Math.multiplyExact(Math.ceilDiv(Math.min(plan.documents(), documents + 1), one), one);
    int s = plan.units();
    switch (plan.order()) {
      case DS -> batch.documentsThenUnits(0, documents, one, 0, units, units);
      case DSD -> batch.documentsThenUnits(0, documents, d, 0, units, units);
      case SDS -> batch.unitsThenDocuments(0, documents, one, 0, units, s);
      case DSDS -> {
        for (int from = 0; from < documents; from += d) {
          int to = Math.min(documents, from + d);
          batch.unitsThenDocuments(from, to, one, 0, units, s);
        }
      }
      case SDSD -> batch.unitsThenDocuments(0, documents, d, 0, units, s);
    }
    engine.finish(0, documents, scores);
  }

  /**
   * The arguments of one call of {@code score}, and the loops from which each {@link LoopOrder} is
   * composed.
   */
  private static final class Batch {
    private final BlockScorer engine;
    private final FeatureMatrix matrix;
    private final Scratch scratch;
    private final double[] sums;
    private final Checkpoint checkpoint;

    /** Work since the last call of the checkpoint: the number of pairs of a document and a tree. */
    private long work;

    Batch(
        BlockScorer engine,
        FeatureMatrix matrix,
        Scratch scratch,
        double[] sums,
        Checkpoint checkpoint) {
      this.engine = engine;
      this.matrix = matrix;
      this.scratch = scratch;
      this.sums = sums;
      this.checkpoint = checkpoint;
    }

    /**
     * Adds the leaf values of units (trees or blocks of trees) to the documents' sums. The outer
     * loop is over blocks of documents, and the inner loop is over units.
     *
     * @param d number of documents per block
     * @param s maximum number of units to add, from {@code firstUnit}
     */
    void documentsThenUnits(int from, int to, int d, int firstUnit, int endUnit, int s) {
      for (int document = from; document < to; document += d) {
        int end = Math.min(to, document + d);
        for (int unit = firstUnit; unit < Math.min(endUnit, firstUnit + s); unit++) {
          engine.add(unit, matrix, document, end, scratch, sums);
          work += (long) (end - document) * engine.treesPerUnit();
          if (work >= Checkpoint.WORK) {
            checkpoint.pass();
            work = 0;
          }
        }
      }
    }

    /**
     * Adds the leaf values of units (trees or blocks of trees) to the documents' sums. The outer
     * loop is over blocks of units, and the inner loop is over blocks of documents.
     *
     * @param d number of documents per block
     * @param s number of units per block
     */
    void unitsThenDocuments(int from, int to, int d, int firstUnit, int endUnit, int s) {
      for (int unit = firstUnit; unit < endUnit; unit += s) {
        documentsThenUnits(from, to, d, unit, Math.min(endUnit, unit + s), s);
      }
    }
  }
}
