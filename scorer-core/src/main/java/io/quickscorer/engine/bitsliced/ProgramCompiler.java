// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.engine.columns.ObliviousLevels;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Compiles an ensemble to a {@link BitProgram} and its {@link LeafTable}, in time linear in the
 * number of splits. The program of an ensemble is always the same.
 */
public final class ProgramCompiler {
  private static final int FLIPS_AT_ONCE = 4;

  private final TreeEnsemble ensemble;
  private final List<Tree> trees;
  private final PredicateTable predicates;
  private final SplittableRandom random = new SplittableRandom(1);
  private final int[] splits;
  private final int[] firstSplit;
  private final int[] firstCherry;
  private final int[] firstFlip;
  private final byte[] codeBits;
  private final int[] firstOfGroup;
  private final double[] values;
  private final int[] firstPlane;
  private int[] planes = new int[0];
  private short[] flips;
  private int regions = 2;
  private int nextSplit;
  private int nextFlip;
  private int nextPlane;

  /** A program, and its table of leaf values. */
  public record Compiled(BitProgram program, LeafTable leaves) {}

  private ProgramCompiler(TreeEnsemble ensemble, CompileProgress progress) {
    this.ensemble = ensemble;
    this.trees = ensemble.trees();
    this.predicates = new PredicateTable(ensemble, BitProgram.MAX_PREDICATES, progress);
    int groups = (trees.size() + BitProgram.GROUP - 1) / BitProgram.GROUP;
    splits = new int[(int) ensemble.shape().splits()];
    firstSplit = new int[trees.size() + 1];
    firstCherry = new int[trees.size()];
    firstFlip = new int[trees.size() + 1];
    codeBits = new byte[groups];
    firstOfGroup = new int[groups];
    values = new double[tables()];
    flips = new short[2 * splits.length + 64];
    firstPlane = new int[groups];
  }

  /** Returns whether no tree has more than {@link BitProgram#MAX_LEAVES} leaves. */
  public static boolean supports(EnsembleShape shape) {
    return shape.maxLeaves() <= BitProgram.MAX_LEAVES;
  }

  /**
   * Compiles an ensemble.
   *
   * @throws UnsupportedEnsembleException if a tree has over 1,024 leaves, or the ensemble has too
   *     many predicates, categories or leaves
   */
  public static Compiled compile(TreeEnsemble ensemble, CompileProgress progress) {
    UnsupportedEnsembleException.checkLeaves("bitsliced", ensemble, BitProgram.MAX_LEAVES);
    return new ProgramCompiler(ensemble, progress.part(0, 0.1)).compile(progress.part(0.1, 1));
  }

  private Compiled compile(CompileProgress progress) {
    for (int group = 0; group < codeBits.length; group++) {
      int end = Math.min(trees.size(), (group + 1) * BitProgram.GROUP);
      List<ObliviousLevels> levels = levels(group * BitProgram.GROUP, end);
      firstPlane[group] = levels.isEmpty() ? -1 : nextPlane;
      for (int t = group * BitProgram.GROUP; t < end; t++) {
        progress.report(t, trees.size());
        if (levels.isEmpty()) {
          compile(t);
        } else {
          compile(t, levels.get(t % BitProgram.GROUP));
        }
      }
    }
    firstSplit[trees.size()] = nextSplit;
    firstFlip[trees.size()] = nextFlip;
    BitProgram program =
        new BitProgram(
            ensemble,
            predicates.features(),
            predicates.size(),
            regions,
            splits,
            firstSplit,
            firstCherry,
            Arrays.copyOf(flips, nextFlip),
            firstFlip,
            codeBits,
            Arrays.copyOf(planes, nextPlane),
            firstPlane);
    return new Compiled(program, new LeafTable(values, firstOfGroup));
  }

  /**
   * Fills {@link #codeBits} and {@link #firstOfGroup}. Returns the number of entries in the table
   * of leaf values.
   */
  private int tables() {
    long entries = 0;
    for (int group = 0; group < codeBits.length; group++) {
      int end = Math.min(trees.size(), (group + 1) * BitProgram.GROUP);
      int leaves = 2;
      for (int t = group * BitProgram.GROUP; t < end; t++) {
        leaves = Math.max(leaves, trees.get(t).leaves());
      }
      codeBits[group] = (byte) (Integer.SIZE - Integer.numberOfLeadingZeros(leaves - 1));
      firstOfGroup[group] = (int) entries;
      entries += (long) (end - group * BitProgram.GROUP) << LeafTable.indexBits(codeBits[group]);
      if (entries > Integer.MAX_VALUE / 2) {
        throw new UnsupportedEnsembleException(
            "bitsliced: the tables of leaves have over " + Integer.MAX_VALUE / 2 + " entries");
      }
    }
    return (int) entries;
  }

  /**
   * Returns the levels of each tree in [from, end); an empty list if a tree is not oblivious, that
   * is, has different splits on a level.
   */
  private List<ObliviousLevels> levels(int from, int end) {
    List<ObliviousLevels> all = new ArrayList<>();
    for (int t = from; t < end; t++) {
      ObliviousLevels levels = ObliviousLevels.of(trees.get(t));
      if (levels == null) {
        return List.of();
      }
      all.add(levels);
    }
    return all;
  }

  private void compile(int number, ObliviousLevels levels) {
    int group = number / BitProgram.GROUP;
    Tree tree = trees.get(number);
    firstSplit[number] = nextSplit;
    firstCherry[number] = nextSplit;
    firstFlip[number] = nextFlip;
    int depth = levels.splits().length;
    int first = nextPlane;
    nextPlane += Math.ceilDiv(codeBits[group], Byte.SIZE) * Byte.SIZE;
    if (planes.length < nextPlane) {
      planes = Arrays.copyOf(planes, Math.max(nextPlane, 2 * planes.length));
    }
    Arrays.fill(planes, first, nextPlane, predicates.size() + BlockBuffers.SLACK);
    for (int bit = 0; bit < depth; bit++) {
      planes[first + bit] = predicates.number(tree, levels.splits()[depth - 1 - bit]);
    }
    int firstLeaf = firstLeaf(number);
    for (int code = 0; code < levels.leaves().length; code++) {
      values[firstLeaf + code] = tree.leafValue(levels.leaves()[code]);
    }
  }

  private int firstLeaf(int number) {
    int group = number / BitProgram.GROUP;
    return firstOfGroup[group]
        + (number % BitProgram.GROUP << LeafTable.indexBits(codeBits[group]));
  }

  private void compile(int number) {
    int group = number / BitProgram.GROUP;
    TreeLayout layout = new TreeLayout(trees.get(number));
    regions = Math.max(regions, layout.regions());
    emitSplits(number, layout);
    LeafCodes codes = new LeafCodes(layout, codeBits[group]).improve(random);
    int[] edges = new int[layout.regions()];
    int rootCode = codes.flips(edges);
    emitFlips(number, codeBits[group], edges);
    int first = firstLeaf(number);
    for (int leaf = 0; leaf < layout.tree.leaves(); leaf++) {
      values[first + running(codes.code(leaf) ^ rootCode, codeBits[group])] =
          layout.tree.leafValue(leaf);
    }
  }

  /** Returns a number whose bit k is the XOR of the bits 0 to k of {@code code}. */
  private static int running(int code, int bits) {
    int running = code;
    for (int shift = 1; shift < bits; shift *= 2) {
      running ^= running << shift;
    }
    return running & (1 << bits) - 1;
  }

  private void emitSplits(int number, TreeLayout layout) {
    firstSplit[number] = nextSplit;
    firstCherry[number] = nextSplit + layout.inner;
    for (int split : layout.order) {
      splits[nextSplit++] =
          layout.region[split] << BitProgram.PREDICATE_BITS | predicates.number(layout.tree, split);
    }
  }

  private void emitFlips(int number, int bits, int[] edges) {
    firstFlip[number] = nextFlip;
    for (int bit = 0; bit < bits; bit++) {
      int first = nextFlip;
      for (int region = 2; region < edges.length; region++) {
        if ((edges[region] >> bit & 1) != 0) {
          emitFlip(region);
        }
      }
      while (nextFlip == first || (nextFlip - first) % FLIPS_AT_ONCE != 0) {
        emitFlip(BitProgram.NONE);
      }
      flips[nextFlip - 1] = (short) ~flips[nextFlip - 1];
    }
  }

  private void emitFlip(int region) {
    if (nextFlip == flips.length) {
      flips = Arrays.copyOf(flips, 2 * flips.length);
    }
    flips[nextFlip++] = (short) region;
  }
}
