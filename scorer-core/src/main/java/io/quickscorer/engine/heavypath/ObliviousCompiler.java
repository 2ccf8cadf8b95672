// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles oblivious trees (with equal splits on a level) to a {@link PathProgram}. One word has
 * the test results of several trees, one bit per level. The bits of a tree are the number of the
 * leaf that the document reaches.
 */
final class ObliviousCompiler {
  /**
   * Maximum ratio of stored leaves to leaves of the model. Each stored tree has as many leaves as
   * the deepest tree.
   */
  private static final int MAX_LEAVES_PER_LEAF = 4;

  private ObliviousCompiler() {}

  /**
   * Compiles an ensemble.
   *
   * @param tableSize the number of ranks from which one instruction can select
   * @return the program; null if a tree has different splits on a level, or if {@link
   *     #MAX_LEAVES_PER_LEAF} would be exceeded
   */
  static @Nullable PathProgram compile(
      TreeEnsemble ensemble, ColumnTable columns, int tableSize, CompileProgress progress) {
    List<Tree> trees = ensemble.trees();
    ObliviousLevels[] levels = new ObliviousLevels[trees.size()];
    int codeBits = 1;
    for (int t = 0; t < levels.length; t++) {
      progress.report(t, 2L * levels.length);
      ObliviousLevels found = ObliviousLevels.of(trees.get(t));
      if (found == null) {
        return null;
      }
      levels[t] = found;
      codeBits = Math.max(codeBits, found.splits().length);
    }
    if ((long) levels.length << codeBits > MAX_LEAVES_PER_LEAF * ensemble.shape().leaves()) {
      return null;
    }
    int perPiece = PathProgram.LANES / codeBits;
    int perBlock = perPiece * PathProgram.GROUP;
    int[] firstGroup = new int[Math.ceilDiv(levels.length, perBlock) + 1];
    for (int block = 0; block < firstGroup.length; block++) {
      firstGroup[block] = block;
    }
    int pieces = (firstGroup.length - 1) * PathProgram.GROUP;
    PathProgram.Lanes lanes = PathProgram.Lanes.of(columns.columns(), pieces, tableSize);
    double[] leaves = new double[Math.multiplyExact(levels.length, 1 << codeBits)];
    for (int t = 0; t < levels.length; t++) {
      progress.report(levels.length + t, 2L * levels.length);
      int[] splits = levels[t].splits();
      for (int level = 0; level < splits.length; level++) {
        int lane = t % perPiece * codeBits + splits.length - 1 - level;
        lanes.place(columns, trees.get(t), splits[level], t / perPiece, lane, tableSize);
      }
      // A tree with fewer levels ignores the upper bits of the code, so its leaves are repeated.
      for (int code = 0; code < 1 << codeBits; code++) {
        int leaf = levels[t].leaves()[code & levels[t].leaves().length - 1];
        leaves[(t << codeBits) + code] = trees.get(t).leafValue(leaf);
      }
    }
    return new PathProgram(
        ensemble,
        columns.columns(),
        perBlock,
        firstGroup,
        lanes,
        new PathProgram.Levels(new int[pieces / PathProgram.GROUP + 1], new long[0]),
        new PathProgram.Exits(new int[0], new byte[0], new int[0], new int[0], leaves),
        codeBits);
  }
}
