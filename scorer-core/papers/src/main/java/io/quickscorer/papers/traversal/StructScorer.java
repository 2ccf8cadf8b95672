// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import java.util.SplittableRandom;

/**
 * Follows trees whose splits are in random order in memory, as if each had been allocated
 * separately. Each document is scored with all trees before the next document. Supports every
 * ensemble. The random order is the same in every JVM.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (STRUCT).
 */
public final class StructScorer extends FlatTreeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("struct", 0);

  private StructScorer(TreeEnsemble ensemble, FlatTrees trees) {
    super(ensemble, trees);
  }

  public static StructScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    FlatTrees trees = FlatTrees.breadthFirst(ensemble, progress.part(0, 0.5));
    return new StructScorer(
        ensemble, trees.shuffled(new SplittableRandom(1), progress.part(0.5, 1)));
  }

  @Override
  public Algorithm algorithm() {
    return ALGORITHM;
  }

  @Override
  public int documentsPerBlock() {
    return 1;
  }
}
