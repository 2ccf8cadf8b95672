// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Checkpoint;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores an ensemble with {@link DerivedColumns}: computes these columns for the batch, then calls
 * any engine. Scores stay bit-identical to those of the reference engine.
 */
public final class DerivedScorer implements EnsembleScorer {
  private static final class Buffers implements Scratch {
    private final Scratch engine;
    private FeatureMatrix columns;

    Buffers(Scratch engine, FeatureMatrix columns) {
      this.engine = engine;
      this.columns = columns;
    }

    @Override
    public @Nullable Algorithm lastEngine() {
      return engine.lastEngine();
    }

    @Override
    public long bytes() {
      return engine.bytes() + (long) columns.values().length * Float.BYTES;
    }
  }

  private final TreeEnsemble ensemble;
  private final EnsembleScorer engine;
  private final ColumnDeriver deriver;

  /**
   * Creates a scorer that computes derived columns before it calls an engine.
   *
   * @param engine an engine for {@link TreeEnsemble#overColumns}, the same trees with the derived
   *     columns as ordinary features; closed with this object
   */
  public DerivedScorer(TreeEnsemble ensemble, EnsembleScorer engine) {
    this.ensemble = ensemble;
    this.engine = engine;
    this.deriver = new ColumnDeriver(ensemble);
  }

  @Override
  public EnsembleScorer ofColumns() {
    return engine;
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return engine.algorithm();
  }

  @Override
  public String engine() {
    return engine.engine();
  }

  @Override
  public boolean uses(Algorithm other) {
    return engine.uses(other);
  }

  @Override
  public long bytes() {
    return engine.bytes() + Objects.requireNonNull(ensemble.derived()).bytes();
  }

  @Override
  public Scratch newScratch() {
    return new Buffers(engine.newScratch(), new FeatureMatrix(deriver.columns(), 0));
  }

  @Override
  public long scratchBytes(int documents) {
    return engine.scratchBytes(documents)
        + FeatureMatrix.cells(deriver.columns(), documents) * Float.BYTES;
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    Buffers buffers = (Buffers) scratch;
    int documents = matrix.documents();
    if (buffers.columns.values().length < FeatureMatrix.cells(deriver.columns(), documents)) {
      buffers.columns = new FeatureMatrix(deriver.columns(), documents);
    }
    deriver.derive(matrix, buffers.columns, checkpoint);
    engine.score(buffers.columns, buffers.engine, scores, checkpoint);
  }

  @Override
  public void close() {
    engine.close();
  }
}
