// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * A scorer of a part of its trees and a part of the documents at a time, so that a caller can order
 * its work for the caches or spread it over threads.
 *
 * <p>Its trees come in <i>units</i>, single trees or tree blocks. The caller must pass every
 * document through the units in ascending order: sums are then in tree order, and the bits the same
 * for every order.
 */
public interface BlockScorer extends EnsembleScorer {
  int units();

  /** Returns the trees of each unit; the last unit may have fewer. */
  int treesPerUnit();

  /** Returns the documents scored together: a range of documents starts at a multiple of this. */
  default int granule() {
    return 1;
  }

  /**
   * Returns the documents per block if the caller does not order the work: few enough that their
   * columns stay in a core's cache while all units pass.
   */
  default int documentsPerBlock() {
    return 512;
  }

  /** Prepares documents [from, to); must precede {@link #add} for them. */
  default void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {}

  /**
   * Adds the exit leaves of a unit to the sums of documents [from, to).
   *
   * @param sums one per document of the matrix, the sums so far
   */
  void add(int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums);

  @Override
  default void score(
      FeatureMatrix matrix, Scratch scratch, double[] scores, Checkpoint checkpoint) {
    checkArguments(matrix, scores);
    int documents = matrix.documents();
    Arrays.fill(scores, 0, documents, ensemble().initialScore());
    prepare(matrix, 0, documents, scratch);
    int step = Math.min(documentsPerBlock(), Math.max(1, documents));
    long work = 0;
    for (int from = 0; from < documents; from += step) {
      int to = Math.min(documents, from + step);
      for (int unit = 0; unit < units(); unit++) {
        add(unit, matrix, from, to, scratch, scores);
        work += (long) (to - from) * treesPerUnit();
        if (work >= Checkpoint.WORK) {
          checkpoint.pass();
          work = 0;
        }
      }
    }
    finish(0, documents, scores);
  }

  /** Turns finished sums into raw scores. */
  default void finish(int from, int to, double[] sums) {
    for (int document = from; document < to; document++) {
      sums[document] = ensemble().rawScore(sums[document]);
    }
  }
}
