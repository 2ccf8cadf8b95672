// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.quickscorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * Base class of QuickScorer's engines. Their trees are divided into blocks, and a unit of {@link
 * BlockScorer} is one block.
 *
 * @param <B> a block in the form that the subclass scores
 */
public abstract class TreeBlockScorer<B extends TreeBlockScorer.Block> implements BlockScorer {
  /** A block of trees. */
  public interface Block {
    /** Returns the block's trees in the form for scoring one document. */
    FalseNodes falseNodes();

    /** Returns the number of bytes of the block's arrays. */
    long bytes();
  }

  private final TreeEnsemble ensemble;
  private final List<B> blocks;

  /**
   * Compiles the trees of an ensemble.
   *
   * @param treesPerBlock the number of trees in each block but the last one, 1 or more
   * @param bitsPerWord the number of leaves per word of a bitvector
   * @param form converts a block to the form that the subclass scores
   */
  protected TreeBlockScorer(
      TreeEnsemble ensemble,
      int treesPerBlock,
      int bitsPerWord,
      Function<FalseNodes, B> form,
      CompileProgress progress) {
    this.ensemble = ensemble;
    this.blocks =
        Arrays.stream(FalseNodes.blocks(ensemble, treesPerBlock, bitsPerWord, progress))
            .map(form)
            .toList();
  }

  @Override
  public final TreeEnsemble ensemble() {
    return ensemble;
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

  protected final B block(int unit) {
    return blocks.get(unit);
  }

  /** Returns the number of words of a document's bitvectors in the largest block. */
  protected final int words() {
    return blocks.stream().mapToInt(block -> block.falseNodes().words()).max().orElse(0);
  }
}
