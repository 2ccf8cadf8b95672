// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.quickscorer;

import io.quickscorer.engine.quickscorer.FalseNodeScorer;
import io.quickscorer.engine.quickscorer.FalseNodes;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;

/**
 * QuickScorer for trees of any size: a bitvector has as many 64-bit words as its tree needs. A mask
 * is applied only to the words that it changes. Most left subtrees are small, so most masks change
 * little more than one word. Supports every ensemble.
 *
 * <p>A block of trees has about {@value #WORDS_PER_BLOCK} words of bitvectors.
 *
 * <p>Source: Lucchese, Nardini, Orlando, Perego, Tonellotto, Venturini, "QuickScorer: a Fast
 * Algorithm to Rank Documents with Additive Ensembles of Regression Trees", SIGIR 2015, section 3;
 * for skipping words in which all bits of the mask are 1: Ye, Zhou, Zou, Gao, Zhang, "RapidScorer:
 * Fast Tree Ensemble Evaluation by Maximizing Compactness in Data Level Parallelization", KDD 2018.
 */
public final class WideQuickScorer extends FalseNodeScorer {
  public static final Algorithm ALGORITHM = new Algorithm("qs-wide", 0);

  private static final int WORDS_PER_BLOCK = 1024;

  public WideQuickScorer(TreeEnsemble ensemble, CompileProgress progress) {
    int wordsPerTree = Math.ceilDiv(ensemble.shape().maxLeaves(), Long.SIZE);
    super(ensemble, Math.ceilDiv(WORDS_PER_BLOCK, wordsPerTree), progress);
  }

  @Override
  public Algorithm algorithm() {
    return ALGORITHM;
  }

  @Override
  protected double addExitLeaves(FalseNodes block, long[] leaves, double sum) {
    Accumulator accumulator = ensemble().accumulator();
    int[] starts = block.leafStarts();
    int[] firstWords = block.firstWords();
    double[] values = block.leafValues();
    for (int t = 0; t < starts.length; t++) {
      int first = firstWords[t];
      int word = first;
      while (leaves[word] == 0) {
        word++;
      }
      int exitLeaf = (word - first) * Long.SIZE + Long.numberOfTrailingZeros(leaves[word]);
      sum = accumulator.add(sum, values[starts[t] + exitLeaf]);
    }
    return sum;
  }
}
