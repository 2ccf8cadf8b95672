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
 *
 * @param ofColumns the engine for {@link TreeEnsemble#overColumns}, the same trees with the derived
 *     columns as ordinary features; closed with this object
 * @param deriver computes the derived columns
 */
public record DerivedScorer(TreeEnsemble ensemble, EnsembleScorer ofColumns, ColumnDeriver deriver)
    implements EnsembleScorer {
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

  /** Creates a scorer that computes derived columns before it calls an engine. */
  public DerivedScorer(TreeEnsemble ensemble, EnsembleScorer engine) {
    this(ensemble, engine, new ColumnDeriver(ensemble));
  }

  @Override
  public Algorithm algorithm() {
    return ofColumns.algorithm();
  }

  @Override
  public String engine() {
    return ofColumns.engine();
  }

  @Override
  public boolean uses(Algorithm other) {
    return ofColumns.uses(other);
  }

  @Override
  public long bytes() {
    return ofColumns.bytes() + Objects.requireNonNull(ensemble.derived()).bytes();
  }

  @Override
  public Scratch newScratch() {
    return new Buffers(ofColumns.newScratch(), new FeatureMatrix(deriver.columns(), 0));
  }

  @Override
  public long scratchBytes(int documents) {
    return ofColumns.scratchBytes(documents)
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
    ofColumns.score(buffers.columns, buffers.engine, scores, checkpoint);
  }

  @Override
  public void close() {
    ofColumns.close();
  }
}
