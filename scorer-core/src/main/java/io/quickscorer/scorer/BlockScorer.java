// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.Arrays;

/**
 * A scorer that can score some documents with some of its trees. So a caller can order the work for
 * the caches, or distribute it to threads.
 *
 * <p>The trees are divided into <i>units</i>, each a single tree or a block of trees. For every
 * document, the caller must call {@link #add} for all units in ascending order. Then scores are
 * bit-identical, however the documents are divided.
 */
public interface BlockScorer extends EnsembleScorer {
  /**
   * Returns the number of units (single trees or blocks of trees) into which the trees are divided.
   */
  int units();

  /** Returns the number of trees in each unit (block of trees); the last unit may have fewer. */
  int treesPerUnit();

  /**
   * Returns the number of documents that the engine scores together. In a call of {@link #add}, the
   * number of the first document must be a multiple of this number.
   */
  default int granule() {
    return 1;
  }

  /**
   * Returns the number of documents in a block. {@link #score} scores a block with all trees before
   * the next block, so that the data of its documents stay in a cache.
   */
  default int documentsPerBlock() {
    return 512;
  }

  /**
   * Computes the data of documents [from, to) that {@link #add} reads from the scratch. Must be
   * called before {@link #add} for these documents.
   */
  default void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {}

  /**
   * Adds the leaf values of one unit (a tree or a block of trees) to the sums of documents [from,
   * to). A document gets the value of the leaf that it reaches in each tree.
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

  /** Converts the sums of documents [from, to) to raw scores, after all trees were added. */
  default void finish(int from, int to, double[] sums) {
    for (int document = from; document < to; document++) {
      sums[document] = ensemble().rawScore(sums[document]);
    }
  }
}
