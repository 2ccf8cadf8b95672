// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;

/**
 * An ensemble for the heavy-path scorer. It holds no document. Immutable by contract.
 *
 * <p>Trees are cut into pieces of at most 63 splits, see {@link TreePieces}; a tree of up to 64
 * leaves is one piece. Each split of a piece has a lane. Lanes are numbered in preorder, the light
 * child first (double lines are heavy):
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
 * <p>The code of an exit is one more than the lane of the last light turn on the way there, or 0
 * where there is none. So the lanes of the light turns a document takes name its exit.
 *
 * <p>Oblivious trees have no paths to follow: the outcomes of their levels are the code of the
 * exit, so that a piece holds ten trees of 64 leaves, see {@link #codeBits}.
 *
 * <p>Pieces come in groups of {@value #GROUP}, groups in blocks that hold the same number of trees
 * each; pieces of a tree are consecutive, its root's first. Unused lanes and pieces are of no
 * level.
 */
public final class PathProgram {
  /** Lanes of a piece. */
  public static final int LANES = 64;

  /** Pieces of a group. */
  public static final int GROUP = 8;

  /**
   * The comparisons of each lane.
   *
   * @param tables tables of ranks, 2 or more; column c is in table {@code c / size}, the size being
   *     that of the kernel's permutes
   * @param columns by piece and lane, the column's place in its table
   * @param masks by piece and lane, the bits of the rank that count; empty if all do everywhere
   * @param bounds by piece and lane, the least masked rank that goes right
   * @param later by piece and table from the second one on, the lanes whose column it has
   */
  record Lanes(int tables, byte[] columns, byte[] masks, byte[] bounds, long[] later) {
    /** Creates empty lanes. */
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

    /** Assigns a lane to a split. */
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
   * The heavy paths.
   *
   * @param first by group, where its rows start; and the end of the last group's
   * @param rows of a group: first the lanes whose light child is the left one, then the lanes of
   *     level 0, of level 1 and so on, at least of level 0; a row has one word for each piece of
   *     the group
   */
  record Levels(int[] first, long[] rows) {
    long bytes() {
      return 4L * first.length + 8L * rows.length;
    }
  }

  /**
   * The ends of paths.
   *
   * @param firstPiece by tree
   * @param steps by tree, pieces on the longest way from the root to a leaf
   * @param first by piece, the place of its exit of code 0 in {@code targets}; in {@code leaves},
   *     if every tree is one piece
   * @param targets by exit, a leaf's place in {@code leaves} or ~piece; empty if every tree is one
   *     piece
   * @param leaves values
   */
  record Exits(int[] firstPiece, byte[] steps, int[] first, int[] targets, double[] leaves) {
    long bytes() {
      return 4L * (firstPiece.length + first.length + targets.length)
          + steps.length
          + 8L * leaves.length;
    }
  }

  private final TreeEnsemble ensemble;
  private final RankColumns columns;
  private final int treesPerBlock;
  private final int[] firstGroup;
  private final Lanes lanes;
  private final Levels levels;
  private final Exits exits;
  private final int codeBits;

  PathProgram(
      TreeEnsemble ensemble,
      RankColumns columns,
      int treesPerBlock,
      int[] firstGroup,
      Lanes lanes,
      Levels levels,
      Exits exits,
      int codeBits) {
    this.ensemble = ensemble;
    this.columns = columns;
    this.treesPerBlock = treesPerBlock;
    this.firstGroup = firstGroup;
    this.lanes = lanes;
    this.levels = levels;
    this.exits = exits;
    this.codeBits = codeBits;
  }

  TreeEnsemble ensemble() {
    return ensemble;
  }

  RankColumns columns() {
    return columns;
  }

  int treesPerBlock() {
    return treesPerBlock;
  }

  int blocks() {
    return firstGroup.length - 1;
  }

  int firstGroup(int block) {
    return firstGroup[block];
  }

  Exits exits() {
    return exits;
  }

  /**
   * Returns the lanes of a tree if all trees are oblivious, otherwise 0. Then a piece has as many
   * trees as fit, one after the other, and the outcomes of a tree's lanes are the code of its exit,
   * by which its leaves are stored.
   */
  public int codeBits() {
    return codeBits;
  }

  /** Tables of ranks, 2 or more. */
  public int tables() {
    return lanes.tables;
  }

  /** Returns, by piece and lane, the place of the lane's column in its table. Not a copy. */
  public byte[] columnsOfLanes() {
    return lanes.columns;
  }

  /**
   * Returns, by piece and lane, the mask of the rank; empty if all bits of all ranks are used. Not
   * a copy.
   */
  public byte[] masks() {
    return lanes.masks;
  }

  /** Returns, by piece and lane, the least masked rank, unsigned, that goes right. Not a copy. */
  public byte[] bounds() {
    return lanes.bounds;
  }

  /**
   * Returns, by piece and table from the second table on, the lanes whose column is in the table.
   * Not a copy.
   */
  public long[] laterTables() {
    return lanes.later;
  }

  /**
   * Returns the index of a group's first word in {@link #levels()}, or the end of the last group's
   * words.
   */
  public int firstLevel(int group) {
    return levels.first[group];
  }

  /**
   * Returns, by group, row and piece: in the first row, the lanes whose light child is the left
   * one; in row k + 1, the lanes of level k. Not a copy.
   */
  public long[] levels() {
    return levels.rows;
  }

  long bytes() {
    return columns.bytes()
        + 4L * firstGroup.length
        + lanes.bytes()
        + levels.bytes()
        + exits.bytes();
  }
}
