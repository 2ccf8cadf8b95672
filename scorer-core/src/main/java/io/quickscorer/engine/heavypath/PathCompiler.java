// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.heavypath;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import java.util.Arrays;
import java.util.List;

/** Compiles an ensemble to a {@link PathProgram}, in time proportional to the number of splits. */
final class PathCompiler {
  /** Approximate number of parts of trees (pieces) in a block; they and their leaves need 45 KB. */
  private static final int PIECES_PER_BLOCK = 64;

  private static final int LANES = PathProgram.LANES;
  private static final int GROUP = PathProgram.GROUP;

  private final TreeEnsemble ensemble;
  private final List<Tree> trees;
  private final ColumnTable columns;
  private final int tableSize;
  private final int treesPerBlock;
  private final int[] firstGroup;
  private final PathProgram.Lanes lanes;
  private final int[] firstLevel;
  private long[] levels = new long[16 * GROUP];
  private int endOfLevels;
  private final PathProgram.Exits exits;

  /** Whether every tree consists of one part (piece). */
  private final boolean whole;

  private int firstLeaf;
  private int nextExit;

  /** The root nodes of the parts (pieces) found so far in the current tree. */
  private int[] roots = new int[8];

  private int rootsFound;

  private final int[] nodes = new int[LANES + 1];

  /**
   * For each node on the stack, its level: the number of steps to lighter children between the
   * piece's root and the node.
   */
  private final int[] nodeLevels = new int[LANES + 1];

  /**
   * For each node on the stack, the code of the leaf or piece that is reached if every further step
   * goes to the heavy child. {@link PathProgram} explains these codes.
   */
  private final int[] codes = new int[LANES + 1];

  private PathCompiler(
      TreeEnsemble ensemble, ColumnTable columns, int tableSize, CompileProgress progress) {
    this.ensemble = ensemble;
    this.trees = ensemble.trees();
    this.columns = columns;
    this.tableSize = tableSize;
    int[] counts = new int[trees.size()];
    int pieces = 0;
    for (int t = 0; t < counts.length; t++) {
      progress.report(t, counts.length);
      counts[t] = new TreePieces(trees.get(t)).count();
      pieces += counts[t];
    }
    whole = pieces == counts.length;
    treesPerBlock = Math.min(trees.size(), Math.max(1, PIECES_PER_BLOCK * counts.length / pieces));
    firstGroup = new int[Math.ceilDiv(counts.length, treesPerBlock) + 1];
    int[] firstPiece = new int[counts.length];
    int leaves = Math.toIntExact(ensemble.shape().leaves());
    int exitsOfPieces = whole ? 0 : leaves + pieces - counts.length;
    int places = GROUP * number(counts, firstPiece);
    lanes = PathProgram.Lanes.of(columns.columns(), places, tableSize);
    firstLevel = new int[places / GROUP + 1];
    exits =
        new PathProgram.Exits(
            firstPiece,
            new byte[counts.length],
            new int[places],
            new int[exitsOfPieces],
            new double[leaves]);
  }

  /**
   * Writes the index of each tree's first part (piece) to {@code firstPiece}. Returns the number of
   * groups of pieces.
   */
  private int number(int[] counts, int[] firstPiece) {
    int piece = 0;
    for (int t = 0; t < counts.length; t++) {
      if (t % treesPerBlock == 0) {
        firstGroup[t / treesPerBlock] = Math.ceilDiv(piece, GROUP);
        piece = firstGroup[t / treesPerBlock] * GROUP;
      }
      firstPiece[t] = piece;
      piece += counts[t];
    }
    firstGroup[firstGroup.length - 1] = Math.ceilDiv(piece, GROUP);
    return firstGroup[firstGroup.length - 1];
  }

  /**
   * Compiles an ensemble for the heavy-path engine.
   *
   * @param tableSize the number of ranks from which one instruction can select
   */
  static PathProgram compile(TreeEnsemble ensemble, int tableSize, CompileProgress progress) {
    ColumnTable columns = new ColumnTable(ensemble, progress.part(0, 0.2));
    PathProgram oblivious =
        ObliviousCompiler.compile(ensemble, columns, tableSize, progress.part(0.2, 1));
    return oblivious == null
        ? new PathCompiler(ensemble, columns, tableSize, progress.part(0.2, 0.3))
            .compile(progress.part(0.3, 1))
        : oblivious;
  }

  private PathProgram compile(CompileProgress progress) {
    int group = 0;
    for (int t = 0; t < trees.size(); t++) {
      progress.report(t, trees.size());
      TreePieces pieces = new TreePieces(trees.get(t));
      roots[0] = pieces.tree.splits() == 0 ? ~0 : 0;
      rootsFound = 1;
      for (int i = 0; i < rootsFound; i++) {
        int piece = exits.firstPiece()[t] + i;
        for (; group <= piece / GROUP; group++) {
          firstLevel[group] = endOfLevels;
        }
        emit(pieces, roots[i], t, piece);
      }
      exits.steps()[t] = (byte) pieces.depth();
      firstLeaf += pieces.tree.leaves();
    }
    Arrays.fill(firstLevel, group, firstLevel.length, endOfLevels);
    return new PathProgram(
        ensemble,
        columns.columns(),
        treesPerBlock,
        firstGroup,
        lanes,
        new PathProgram.Levels(firstLevel, Arrays.copyOf(levels, endOfLevels)),
        exits,
        0);
  }

  /**
   * Compiles a part of a tree (piece): gives each split a bit of a word, and each exit (a leaf or
   * the next piece) a code.
   */
  private void emit(TreePieces pieces, int root, int treeNumber, int piece) {
    Tree tree = pieces.tree;
    exits.first()[piece] = whole ? firstLeaf : nextExit;
    growLevels(piece, 2);
    int lane = 0;
    int top = 0;
    nodes[top] = root;
    nodeLevels[top] = 0;
    codes[top++] = 0;
    while (top > 0) {
      int node = nodes[--top];
      int level = nodeLevels[top];
      int code = codes[top];
      if (node != root && !pieces.inside(node) || node < 0) {
        exit(tree, node, treeNumber, piece, code);
        continue;
      }
      boolean lightIsLeft = pieces.lightIsLeft(node);
      lanes.place(columns, tree, node, piece, lane, tableSize);
      growLevels(piece, level + 2);
      int row = firstLevel[piece / GROUP] + piece % GROUP;
      levels[row] |= lightIsLeft ? 1L << lane : 0;
      levels[row + (level + 1) * GROUP] |= 1L << lane;
      lane++;
      nodes[top] = lightIsLeft ? tree.right(node) : tree.left(node);
      nodeLevels[top] = level;
      codes[top++] = code;
      nodes[top] = lightIsLeft ? tree.left(node) : tree.right(node);
      nodeLevels[top] = level + 1;
      codes[top++] = lane;
    }
    nextExit += lane + 1;
  }

  private void growLevels(int piece, int rows) {
    endOfLevels = Math.max(endOfLevels, firstLevel[piece / GROUP] + rows * GROUP);
    if (levels.length < endOfLevels) {
      levels = Arrays.copyOf(levels, Math.multiplyExact(2, levels.length));
    }
  }

  private void exit(Tree tree, int child, int treeNumber, int piece, int code) {
    int exit = exits.first()[piece] + code;
    if (child < 0) {
      int leaf = whole ? exit : firstLeaf + ~child;
      exits.leaves()[leaf] = tree.leafValue(~child);
      if (!whole) {
        exits.targets()[exit] = leaf;
      }
      return;
    }
    if (rootsFound == roots.length) {
      roots = Arrays.copyOf(roots, 2 * rootsFound);
    }
    exits.targets()[exit] = ~(exits.firstPiece()[treeNumber] + rootsFound);
    roots[rootsFound++] = child;
  }
}
