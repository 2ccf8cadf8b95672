// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.CategoryCodes;
import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.DerivedColumns.Statistic;
import io.quickscorer.ensemble.FeatureCombination;
import io.quickscorer.ensemble.Normalisation;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Checkpoint;
import java.util.Arrays;
import java.util.Objects;

/** Computes the {@link DerivedColumns} of an ensemble for a batch of documents. Immutable. */
final class ColumnDeriver {
  /** Number of documents for which a group of columns takes about a millisecond. */
  private static final int DOCUMENTS_PER_PASS = 4_096;

  private final TreeEnsemble ensemble;
  private final DerivedColumns derived;

  /** Creates an object for an ensemble, which must have derived columns. */
  public ColumnDeriver(TreeEnsemble ensemble) {
    this.ensemble = ensemble;
    this.derived = Objects.requireNonNull(ensemble.derived());
  }

  /** Returns the number of columns that splits can test: features and derived columns. */
  public int columns() {
    return ensemble.featureNames().size() + derived.size();
  }

  /**
   * Copies the columns of the used features, and computes the derived columns.
   *
   * @param to receives the columns; a matrix of {@link #columns()} columns with room for the
   *     batch's documents
   * @param checkpoint called every millisecond or two
   */
  public void derive(FeatureMatrix matrix, FeatureMatrix to, Checkpoint checkpoint) {
    int documents = matrix.documents();
    to.reset(documents);
    int features = matrix.features();
    for (int f = 0; f < features; f++) {
      if (ensemble.uses(f)) {
        System.arraycopy(matrix.values(), matrix.column(f), to.values(), to.column(f), documents);
      }
    }
    int column = features;
    for (Statistic statistic : derived.statistics()) {
      for (int document = 0; document < documents; document++) {
        pass(document, checkpoint);
        int place = place(statistic, matrix, document);
        for (int i = 0; i < statistic.columns(); i++) {
          float value = place < 0 ? statistic.otherwise()[i] : statistic.values()[i][place];
          to.set(document, column + i, value);
        }
      }
      column += statistic.columns();
    }
    for (Normalisation normalisation : derived.normalisations()) {
      float[] row = new float[normalisation.columns()];
      for (int document = 0; document < documents; document++) {
        pass(document, checkpoint);
        for (int i = 0; i < row.length; i++) {
          row[i] = matrix.get(document, normalisation.features()[i]);
        }
        normalisation.apply(row);
        for (int i = 0; i < row.length; i++) {
          to.set(document, column + i, row[i]);
        }
      }
      column += row.length;
    }
  }

  private static void pass(int document, Checkpoint checkpoint) {
    if (document % DOCUMENTS_PER_PASS == DOCUMENTS_PER_PASS - 1) {
      checkpoint.pass();
    }
  }

  /** Returns the index of a document's key in {@link Statistic#keys}; negative if absent. */
  private int place(Statistic statistic, FeatureMatrix matrix, int document) {
    FeatureCombination combination = statistic.combination();
    long key = 0;
    for (int feature : combination.categories()) {
      long hash = derived.codesOf(feature).hash(matrix.get(document, feature));
      if (hash == CategoryCodes.NONE) {
        return -1;
      }
      key = FeatureCombination.with(key, (int) hash);
    }
    for (int i = 0; i < combination.numbers().length; i++) {
      float value = matrix.get(document, combination.numbers()[i]);
      key = FeatureCombination.with(key, combination.above(i, value));
    }
    for (int i = 0; i < combination.tested().length; i++) {
      int feature = combination.tested()[i];
      long hash = derived.codesOf(feature).hash(matrix.get(document, feature));
      boolean same = hash == Integer.toUnsignedLong(combination.hashes()[i]);
      key = FeatureCombination.with(key, same ? 1 : 0);
    }
    return Arrays.binarySearch(statistic.keys(), key);
  }
}
