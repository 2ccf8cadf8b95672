// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.papers.quickscorer.RapidScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * QuickScorer with documents in lanes, over tree blocks of a form {@code B}; a unit is a tree
 * block. What vQS and RapidScorer share; they differ in the words of their bitvectors.
 */
abstract sealed class LaneScorer<B extends LaneScorer.Block> implements BlockScorer
    permits VectorQuickScorer, RapidScorer {
  private final TreeEnsemble ensemble;
  private final Algorithm algorithm;
  private final int lanes;
  private final List<B> blocks;

  /** A tree block, laid out for lanes. */
  interface Block {
    FalseNodes falseNodes();

    long bytes();
  }

  /**
   * Compiles the trees.
   *
   * @param lanes documents scored together
   * @param treesPerBlock 1 or more
   * @param bitsPerWord of the bitvectors: 8 or 32
   * @param layout makes a block's form for lanes
   */
  LaneScorer(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      int lanes,
      int treesPerBlock,
      int bitsPerWord,
      Function<FalseNodes, B> layout,
      CompileProgress progress) {
    this.ensemble = ensemble;
    this.algorithm = algorithm;
    this.lanes = lanes;
    this.blocks =
        Arrays.stream(FalseNodes.blocks(ensemble, treesPerBlock, bitsPerWord, progress))
            .map(layout)
            .toList();
  }

  final B block(int unit) {
    return blocks.get(unit);
  }

  /** Words of the bitvectors of the largest block. */
  final int words() {
    return blocks.stream().mapToInt(block -> block.falseNodes().words()).max().orElse(0);
  }

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public final Algorithm algorithm() {
    return algorithm;
  }

  @Override
  public final long bytes() {
    return blocks.stream().mapToLong(Block::bytes).sum();
  }

  @Override
  public final int units() {
    return blocks.size();
  }

  @Override
  public final int treesPerUnit() {
    return blocks.getFirst().falseNodes().trees();
  }

  @Override
  public final int granule() {
    return lanes;
  }
}
