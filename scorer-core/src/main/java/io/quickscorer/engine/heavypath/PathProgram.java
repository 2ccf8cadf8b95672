// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * An ensemble in the form that the heavy-path scorer runs. Contains no data of documents. The
 * arrays are not copies, and no caller may change them.
 *
 * <p>Trees are divided into pieces of at most 63 splits, see {@link TreePieces}; a tree of up to 64
 * leaves is one piece. Each split of a piece has a lane, that is, a bit of a word. Lanes are
 * numbered in preorder, with the light child first (double lines lead to the heavy child):
 *
 * <pre>
 *             a               lane       0  1  2  3  4
 *          //   \             split      a  c  e  b  d
 *         b       c           level 0    1  .  .  1  1    the root's heavy path: a, b, d
 *       // \     // \         level 1    .  1  1  .  .    the heavy paths one turn away: c, e
 *      d    u   e    v
 *    //  \    //  \           code of exit  r 0, t 1, v 2, s 3, u 4, w 5
 *   r     w   t     s
 * </pre>
 *
 * <p>The code of an exit is the lane of the last light turn on the path to the exit, plus 1; it is
 * 0 if there is no light turn. So the light turns of a document's path identify its exit.
 *
 * <p>For oblivious trees, the results of the levels are the code of the exit. A piece then has
 * several trees, for example ten trees of 64 leaves.
 *
 * <p>Pieces form groups of {@value #GROUP}, and groups form blocks with equal numbers of trees. The
 * pieces of a tree are consecutive; the first one has the root.
 *
 * @param ensemble the ensemble from which this program was compiled
 * @param columns the columns of ranks that the splits compare
 * @param treesPerBlock the number of trees in a block; the last block may have fewer
 * @param firstGroup the first group of each block, followed by the number of all groups
 * @param lanes the comparisons of all splits
 * @param levels the masks of the splits on heavy paths
 * @param exits the exits of the parts of trees (pieces)
 * @param codeBits the number of bits of a leaf number if all trees are oblivious (with equal splits
 *     on a level); otherwise 0
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PathProgram(
    TreeEnsemble ensemble,
    RankColumns columns,
    int treesPerBlock,
    int[] firstGroup,
    Lanes lanes,
    Levels levels,
    Exits exits,
    int codeBits) {

  /** Number of lanes of a part of a tree (piece): the bits of a long, one for each split. */
  public static final int LANES = 64;

  /** Number of pieces (parts of trees) in a group. */
  public static final int GROUP = 8;

  /**
   * The comparisons of all splits. Each piece (part of a tree) has one word for the results, in
   * which each split has one bit (lane).
   *
   * @param tables the number of tables of ranks, 2 or more; column c is in table {@code c /
   *     tableSize}
   * @param columns for lane l of piece p, at {@code p * LANES + l}: the index of its column within
   *     the table
   * @param masks at the same index, the bits of the rank that are compared; empty if all lanes
   *     compare all bits
   * @param bounds at the same index, the minimum masked rank that goes right, unsigned
   * @param later for each piece, one long per table except the first; bit l is 1 if the column of
   *     lane l is in the table
   */
  record Lanes(int tables, byte[] columns, byte[] masks, byte[] bounds, long[] later) {
    /** Creates an instance with room for all comparisons. {@link #place} adds the comparisons. */
    static Lanes of(RankColumns columns, int pieces, int tableSize) {
      int tables = Math.max(2, Math.ceilDiv(columns.count(), tableSize));
      int count = Math.multiplyExact(pieces, LANES);
      return new Lanes(
          tables,
          new byte[count],
          new byte[columns.categorical() ? count : 0],
          new byte[count],
          new long[Math.multiplyExact(pieces, tables - 1)]);
    }

    void place(ColumnTable table, Tree tree, int split, int piece, int lane, int tableSize) {
      int column = table.column(tree, split);
      int at = piece * LANES + lane;
      columns[at] = (byte) (column % tableSize);
      bounds[at] = (byte) table.bound(tree, split);
      if (masks.length > 0) {
        masks[at] = (byte) table.mask(tree, split);
      }
      int number = column / tableSize;
      if (number > 0) {
        later[piece * (tables - 1) + number - 1] |= 1L << lane;
      }
    }

    long bytes() {
      return (long) columns.length + masks.length + bounds.length + 8L * later.length;
    }
  }

  /**
   * Masks of the splits on the heavy paths of each piece (part of a tree), level by level; {@link
   * TreePieces} explains the terms.
   *
   * @param first for each group of pieces, the index in {@code rows} of its first word, followed by
   *     the length of {@code rows}
   * @param rows for each group, rows with one word per piece and one bit per split. In row 0, a bit
   *     is 1 if the split's light child is the left child. In row {@code 1 + k}, a bit is 1 if the
   *     split is on level k
   */
  record Levels(int[] first, long[] rows) {
    long bytes() {
      return 4L * first.length + 8L * rows.length;
    }
  }

  /**
   * The exits of the parts of trees (pieces). Each exit is a leaf, or the root of another piece.
   *
   * @param firstPiece the first piece of each tree
   * @param steps for each tree, the number of pieces on the longest path from the root to a leaf
   * @param first for each piece, the index of the exit with code 0 in {@code targets}, or in {@code
   *     leaves} if every tree is one piece
   * @param targets for each exit, the index of its leaf in {@code leaves}, or {@code ~piece} if
   *     another piece follows; empty if every tree is one piece
   * @param leaves the values of the leaves
   */
  record Exits(int[] firstPiece, byte[] steps, int[] first, int[] targets, double[] leaves) {
    long bytes() {
      return 4L * (firstPiece.length + first.length + targets.length)
          + steps.length
          + 8L * leaves.length;
    }
  }

  int blocks() {
    return firstGroup.length - 1;
  }

  long bytes() {
    return columns.bytes()
        + 4L * firstGroup.length
        + lanes.bytes()
        + levels.bytes()
        + exits.bytes();
  }
}
