// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Scores right but for one bit of one document, where certain engines score it.
 *
 * @param device the engine that says it scored, or null for whatever really did
 * @param wrong the engines with the defect
 * @param document of each batch that is as large
 * @param bit of the score's 64
 */
record DefectiveScorer(
    EnsembleScorer scorer,
    @Nullable Algorithm device,
    Predicate<Algorithm> wrong,
    int document,
    int bit)
    implements EnsembleScorer {

  private record Buffers(Scratch scratch, @Nullable Algorithm device) implements Scratch {
    @Override
    public long bytes() {
      return scratch.bytes();
    }

    @Override
    public @Nullable Algorithm lastEngine() {
      return device == null ? scratch.lastEngine() : device;
    }
  }

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
    return device == null ? scorer.engine() : scorer.engine() + "; " + device;
  }

  @Override
  public boolean uses(Algorithm engine) {
    return engine == device || scorer.uses(engine);
  }

  @Override
  public long bytes() {
    return scorer.bytes();
  }

  @Override
  public Scratch newScratch() {
    return new Buffers(scorer.newScratch(), device);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    scorer.score(matrix, ((Buffers) scratch).scratch, scores, checkpoint);
    Algorithm last = scratch.lastEngine();
    Algorithm engine = last == null ? algorithm() : last;
    if (wrong.test(engine) && document < matrix.documents()) {
      long bits = Double.doubleToRawLongBits(scores[document]);
      scores[document] = Double.longBitsToDouble(bits ^ 1L << bit);
    }
  }

  @Override
  public void close() {
    scorer.close();
  }
}
