// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;

/**
 * An ensemble compiled to operations on bitmaps of documents. It holds no document, no bitmap and
 * no width: a bitmap is one long (64 documents) or several, as the kernels like it. Immutable.
 *
 * <p>For a block of documents, the scorer goes through these phases:
 *
 * <pre>
 *   feature columns
 *        | 1  rank each value among its feature's pivots
 *        v
 *   predicate bitmaps     "goes right?", one for each distinct predicate of the ensemble
 *        | 2  tree by tree: push all documents through all splits
 *        v
 *   regions               per tree: which documents reach which node
 *        | 3  XOR some regions to code planes
 *        v
 *   code planes           bit k of each document's leaf code, k = 0, 1, ...
 *        | 4  transpose bits
 *        v
 *   leaf codes            a byte (over 256 leaves: two) for each document
 *        | 5  look up, add in tree order
 *        v
 *   scores
 * </pre>
 *
 * <p><b>Regions.</b> Region {@link #ALL} holds every document, {@link #NONE} none. Split q of a
 * tree (breadth-first; splits with two leaves apart) sends its own region R through predicate m:
 *
 * <pre>
 *           R
 *         /   \            region 2q + 2 = R and not m      (left)
 *    R&amp;~m   R&amp;m           region 2q + 3 = R and m          (right)
 * </pre>
 *
 * <p><b>Codes.</b> Each leaf of a tree has a code of K bits. Walking down from the root, a node
 * carries a tentative code that flips some bits at some edges; at the leaf it is the leaf's code.
 * Bit k of all documents' codes is therefore the XOR of the regions below those edges that flip it.
 * {@link LeafCodes} picks codes for which few edges flip. At a split with two leaves (a
 * <i>cherry</i>, a third of all splits) just bit 0 flips, at the right leaf; its regions are never
 * stored: R and m goes directly into plane 0.
 *
 * <p><b>Oblivious trees</b> test the same predicate at all splits of a level, so that the
 * predicates' bitmaps are the planes: phases 2 and 3 fall away for a group of such trees.
 *
 * <p>Trees are kept in groups of {@link #GROUP}, in which all codes have the same number of bits.
 *
 * <p>Source: own work; for the leaf-by-leaf idea of bitvectors see Lucchese et al., "QuickScorer",
 * SIGIR 2015; for minimal flips Fitch, "Toward defining the course of evolution", Systematic
 * Zoology 20(4), 1971.
 */
public final class BitProgram {
  /** Trees of a group. */
  public static final int GROUP = 16;

  /** The region of all documents. */
  public static final int ALL = 0;

  /** The empty region, which fills up lists of regions. */
  public static final int NONE = 1;

  /** Bits of a packed split that hold the predicate; the region is in the bits above. */
  public static final int PREDICATE_BITS = 21;

  /** Mask of a packed split's predicate. */
  public static final int PREDICATE_MASK = (1 << PREDICATE_BITS) - 1;

  static final int MAX_PREDICATES = 1 << PREDICATE_BITS;

  /**
   * Maximum number of leaves of a tree, because the regions' numbers use the remaining bits of a
   * packed split.
   */
  public static final int MAX_LEAVES = 1024;

  private final TreeEnsemble ensemble;
  private final FeaturePredicates[] features;
  private final int predicates;
  private final int regions;
  private final int[] splits;
  private final int[] firstSplit;
  private final int[] firstCherry;
  private final short[] flips;
  private final int[] firstFlip;
  private final byte[] codeBits;
  private final int[] planes;
  private final int[] firstPlane;

  BitProgram(
      TreeEnsemble ensemble,
      PredicateTable predicates,
      int regions,
      int[] splits,
      int[] firstSplit,
      int[] firstCherry,
      short[] flips,
      int[] firstFlip,
      byte[] codeBits,
      int[] planes,
      int[] firstPlane) {
    this.ensemble = ensemble;
    this.features = predicates.features();
    this.predicates = predicates.size();
    this.regions = regions;
    this.splits = splits;
    this.firstSplit = firstSplit;
    this.firstCherry = firstCherry;
    this.flips = flips;
    this.firstFlip = firstFlip;
    this.codeBits = codeBits;
    this.planes = planes;
    this.firstPlane = firstPlane;
  }

  /** Returns the ensemble this was compiled from. */
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  /** Returns the used features' predicates. */
  FeaturePredicates[] features() {
    return features;
  }

  /** Returns the number of predicate bitmaps. */
  public int predicates() {
    return predicates;
  }

  /** Regions of the largest tree, {@link #ALL} and {@link #NONE} included. */
  public int regions() {
    return regions;
  }

  public int trees() {
    return firstCherry.length;
  }

  public int groups() {
    return codeBits.length;
  }

  public int firstTree(int group) {
    return group * GROUP;
  }

  public int endTree(int group) {
    return Math.min(trees(), (group + 1) * GROUP);
  }

  /**
   * Returns the number of bits of the leaf codes, and so of code planes, of a group's trees: 1 to
   * 10.
   */
  public int codeBits(int group) {
    return codeBits[group];
  }

  /** Returns the bytes of a leaf code of a group: 1 or 2. */
  public int codeBytes(int group) {
    return codeBits[group] > Byte.SIZE ? 2 : 1;
  }

  /**
   * Returns the splits of all trees as {@code region << PREDICATE_BITS | predicate}. Each tree
   * first has the splits whose children's regions are stored, breadth-first, then the cherries. Not
   * a copy.
   */
  public int[] splits() {
    return splits;
  }

  /**
   * Returns the index of each tree's first split, and the end of the last tree's splits. Not a
   * copy.
   */
  public int[] firstSplit() {
    return firstSplit;
  }

  /** Returns the index of each tree's first cherry in {@link #splits()}. Not a copy. */
  public int[] firstCherry() {
    return firstCherry;
  }

  /**
   * Returns for each tree and each code plane the regions below the edges that flip its bit. The
   * number of entries is a multiple of four: the rest is {@link #NONE}, and the plane's last entry
   * is complemented. Planes are a running XOR: plane k is the XOR of the cherries and of all
   * regions up to the plane's last entry. Not a copy.
   */
  public short[] flips() {
    return flips;
  }

  /** Returns the index of each tree's first flip. Not a copy. */
  public int[] firstFlip() {
    return firstFlip;
  }

  /**
   * Returns, for each bit of the code bytes of oblivious groups, the predicate whose bitmap is the
   * plane of this bit; {@link #none()} for a bit that no code uses. Not a copy.
   */
  public int[] planes() {
    return planes;
  }

  /**
   * Returns the index of the first of a group's {@link #planes()}. It is -1 if a tree of the group
   * is not oblivious; then its code planes are computed from regions.
   */
  public int firstPlane(int group) {
    return firstPlane[group];
  }

  /** Returns the number of the bitmap without documents; the words before it may be overwritten. */
  public int none() {
    return predicates + BlockBuffers.SLACK;
  }

  long bytes() {
    long bytes =
        4L
                * (splits.length
                    + firstSplit.length
                    + firstCherry.length
                    + firstFlip.length
                    + planes.length
                    + firstPlane.length)
            + 2L * flips.length
            + codeBits.length;
    for (FeaturePredicates feature : features) {
      bytes += feature.bytes();
    }
    return bytes;
  }
}
