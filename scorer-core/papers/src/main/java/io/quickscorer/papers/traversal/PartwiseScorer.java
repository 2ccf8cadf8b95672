// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Base class of scorers that divide an ensemble into parts. A {@link VPredScorer} scores the batch
 * with one part after another. The subclass adds the scores of the parts.
 */
abstract class PartwiseScorer implements EnsembleScorer {
  /** The buffers of the part that is scored now, and the scores of this part. */
  private static final class Buffers implements Scratch {
    private final Scratch part;
    private double[] scores = {};

    Buffers(Scratch part) {
      this.part = part;
    }

    @Override
    public long bytes() {
      return part.bytes() + (long) scores.length * Double.BYTES;
    }
  }

  private final TreeEnsemble ensemble;
  private final List<EnsembleScorer> parts;

  PartwiseScorer(TreeEnsemble ensemble, List<EnsembleScorer> parts) {
    this.ensemble = ensemble;
    this.parts = parts;
  }

  static List<EnsembleScorer> compile(List<TreeEnsemble> parts, CompileProgress progress) {
    List<EnsembleScorer> scorers = new ArrayList<>(parts.size());
    for (TreeEnsemble part : parts) {
      progress.report(scorers.size(), parts.size());
      scorers.add(new VPredScorer(part, CompileProgress.NONE));
    }
    return scorers;
  }

  /** Returns the initial value of each document's sum. */
  abstract double start();

  /**
   * Adds the scores of one part of the ensemble to the sums of all documents.
   *
   * @param scores the scores of the part, one per document
   */
  abstract void add(int part, double[] scores, FeatureMatrix matrix, double[] sums);

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public final Algorithm algorithm() {
    return VPredScorer.ALGORITHM;
  }

  @Override
  public final long bytes() {
    return parts.stream().mapToLong(EnsembleScorer::bytes).sum();
  }

  @Override
  public final Scratch newScratch() {
    return new Buffers(parts.getFirst().newScratch());
  }

  @Override
  public final long scratchBytes(int documents) {
    long part = parts.stream().mapToLong(each -> each.scratchBytes(documents)).max().orElse(0);
    return part + (long) documents * Double.BYTES;
  }

  @Override
  public final void score(
      FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Buffers buffers = (Buffers) scratch;
    int documents = matrix.documents();
    if (buffers.scores.length < documents) {
      buffers.scores = new double[documents];
    }
    Arrays.fill(scores, 0, documents, start());
    long work = 0;
    for (int part = 0; part < parts.size(); part++) {
      EnsembleScorer scorer = parts.get(part);
      scorer.score(matrix, buffers.part, buffers.scores, checkpoint);
      add(part, buffers.scores, matrix, scores);
      work += (long) documents * scorer.ensemble().trees().size();
      if (work >= Checkpoint.WORK) {
        checkpoint.pass();
        work = 0;
      }
    }
    for (int document = 0; document < documents; document++) {
      scores[document] = ensemble.rawScore(scores[document]);
    }
  }
}
