// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A defect on purpose, to see that the torture bites: {@code -Dtorture.plant=bit}. */
enum PlantedDefect {
  NONE {
    @Override
    EnsembleScorer in(EnsembleScorer scorer, boolean afterPlanChange) {
      return scorer;
    }
  },
  /** Flips the lowest bit of one score in {@value #SCORES_PER_BIT}. */
  BIT {
    @Override
    EnsembleScorer in(EnsembleScorer scorer, boolean afterPlanChange) {
      AtomicLong scores = new AtomicLong();
      return new Defective(
          scorer,
          (matrix, values) -> {
            long before = scores.getAndAdd(matrix.documents());
            long flipped = (before / SCORES_PER_BIT + 1) * SCORES_PER_BIT;
            if (flipped < before + matrix.documents()) {
              int document = (int) (flipped - before);
              long bits = Double.doubleToRawLongBits(values[document]);
              values[document] = Double.longBitsToDouble(bits ^ 1);
            }
          });
    }
  },
  /** Takes another leaf of one tree for one document of the first batch after a change of plans. */
  PLAN {
    @Override
    EnsembleScorer in(EnsembleScorer scorer, boolean afterPlanChange) {
      if (!afterPlanChange) {
        return scorer;
      }
      AtomicBoolean first = new AtomicBoolean(true);
      return new Defective(
          scorer,
          (matrix, values) -> {
            if (matrix.documents() > 0 && first.getAndSet(false)) {
              values[matrix.documents() - 1] += otherLeaf(scorer.ensemble());
            }
          });
    }
  };

  private static final int SCORES_PER_BIT = 20_000;

  /**
   * The scorer with the defect.
   *
   * @param afterPlanChange whether it takes the place of another one under other plans
   */
  abstract EnsembleScorer in(EnsembleScorer scorer, boolean afterPlanChange);

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PlantedDefect of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** What another leaf of the last tree changes; 0 where there is no tree to be wrong. */
  private static double otherLeaf(TreeEnsemble ensemble) {
    if (ensemble.trees().isEmpty()) {
      return 0;
    }
    Tree last = ensemble.trees().getLast();
    return last.leafValue(last.leaves() - 1) - last.leafValue(0);
  }

  @FunctionalInterface
  private interface Damage {
    void in(FeatureMatrix matrix, double[] scores);
  }

  private record Defective(EnsembleScorer scorer, Damage damage) implements EnsembleScorer {
    @Override
    public TreeEnsemble ensemble() {
      return scorer.ensemble();
    }

    @Override
    public Algorithm algorithm() {
      return scorer.algorithm();
    }

    @Override
    public String engine() {
      return scorer.engine();
    }

    @Override
    public long bytes() {
      return scorer.bytes();
    }

    @Override
    public Scratch newScratch() {
      return scorer.newScratch();
    }

    @Override
    public void score(
        FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
      scorer.score(matrix, scratch, scores, checkpoint);
      damage.in(matrix, scores);
    }
  }
}
