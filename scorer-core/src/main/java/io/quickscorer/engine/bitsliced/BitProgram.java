// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;

/**
 * An ensemble compiled to operations on bitmaps of documents. It contains no documents and no
 * bitmaps, and is the same for every width of bitmaps: a kernel's bitmap has one long (64
 * documents) or several. Immutable.
 *
 * <p>The scorer processes each block of documents in these phases:
 *
 * <pre>
 *   feature columns
 *        | 1  rank each value among its feature's pivots
 *        v
 *   predicate bitmaps     "goes right?", one for each distinct predicate of the ensemble
 *        | 2 tree by tree: apply all splits to all documents
 *        v
 *   regions               per tree: which documents reach which node
 *        | 3  XOR some regions to code planes
 *        v
 *   code planes           bit k of each document's leaf code, k = 0, 1, ...
 *        | 4  transpose bits
 *        v
 *   leaf codes            one byte per document; two if over 256 leaves
 *        | 5 look up leaf values, add them in tree order
 *        v
 *   scores
 * </pre>
 *
 * <p><b>Regions.</b> A region is the bitmap of the documents that reach a node. Region {@link #ALL}
 * has every document, region {@link #NONE} has none. Split q of a tree (in breadth-first order,
 * without splits that have two leaves) divides its own region R by predicate m:
 *
 * <pre>
 *           R
 *         /   \            region 2q + 2 = R and not m      (left)
 *    R&amp;~m   R&amp;m           region 2q + 3 = R and m          (right)
 * </pre>
 *
 * <p><b>Codes.</b> Each leaf of a tree has a code of K bits. On the way from the root to a leaf,
 * some edges <i>flip</i> (invert) some bits of a preliminary code, which becomes the leaf's code.
 * Bit k of all documents' codes is therefore the XOR of the regions below the edges that flip bit
 * k. {@link LeafCodes} chooses codes that need few flips. About a third of all splits have two
 * leaves; such a split is a <i>cherry</i>. The right edge of a cherry flips bit 0 only; the region
 * of its right leaf, "R and m", is added to plane 0 directly and never stored.
 *
 * <p><b>Oblivious trees</b> test the same predicate at all splits of a level. The bitmaps of these
 * predicates are then the code planes, and a group of oblivious trees needs no phases 2 and 3.
 *
 * <p>Trees form groups of {@link #GROUP}. All codes of a group have the same number of bits.
 *
 * <p>Source: own work. For bitvectors of leaves, see Lucchese et al., "QuickScorer", SIGIR 2015;
 * for a minimal number of flips, see Fitch, "Toward defining the course of evolution", Systematic
 * Zoology 20(4), 1971.
 */
public final class BitProgram {
  /** Number of trees in a group; the last group may have fewer. */
  public static final int GROUP = 16;

  /** The number of the region (bitmap of documents) that contains every document of a block. */
  public static final int ALL = 0;

  /** The number of the region that contains no document; used as padding in lists of regions. */
  public static final int NONE = 1;

  /**
   * Number of bits for the predicate's number in a packed split. They are the lowest bits; the
   * higher bits contain the region's number.
   */
  public static final int PREDICATE_BITS = 21;

  /** Bit mask that selects the predicate's number in a packed split. */
  public static final int PREDICATE_MASK = (1 << PREDICATE_BITS) - 1;

  static final int MAX_PREDICATES = 1 << PREDICATE_BITS;

  /**
   * Maximum number of leaves of a tree: the number of a region (bitmap of documents) must fit into
   * the higher bits of a packed split.
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

  /** Returns the ensemble from which this program was compiled. */
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  /** Returns, for each feature that a split tests, the predicates on the feature. Not a copy. */
  FeaturePredicates[] features() {
    return features;
  }

  /** Returns the number of bitmaps of predicates, one for each distinct predicate. */
  public int predicates() {
    return predicates;
  }

  /**
   * Returns the number of regions (bitmaps of documents that reach a node) of the largest tree,
   * {@link #ALL} and {@link #NONE} included.
   */
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
   * Returns the number of bits of a group's leaf codes, 1 to 10; each tree of the group has one
   * code plane per bit.
   */
  public int codeBits(int group) {
    return codeBits[group];
  }

  /** Returns the number of bytes of a leaf code in a group: 1 or 2. */
  public int codeBytes(int group) {
    return codeBits[group] > Byte.SIZE ? 2 : 1;
  }

  /**
   * Returns the splits of all trees, each packed as {@code region << PREDICATE_BITS | predicate}.
   * Within a tree, the splits that are no cherries come first, breadth-first, then the cherries
   * (splits with two leaves). Not a copy.
   */
  public int[] splits() {
    return splits;
  }

  /**
   * Returns the index of each tree's first split in {@link #splits()}, followed by the number of
   * all splits. Not a copy.
   */
  public int[] firstSplit() {
    return firstSplit;
  }

  /**
   * Returns the index of each tree's first cherry (split with two leaves) in {@link #splits()}. Not
   * a copy.
   */
  public int[] firstCherry() {
    return firstCherry;
  }

  /**
   * Returns, for each tree and each of its code planes, the regions (bitmaps of documents) below
   * the edges that flip the plane's bit. {@link #NONE} pads the entries of a plane to a multiple of
   * four. The last entry of a plane is complemented, that is, negative. Planes are a running XOR:
   * plane k is the XOR of the cherries' right leaves and of all regions of planes 0 to k. Not a
   * copy.
   */
  public short[] flips() {
    return flips;
  }

  /**
   * Returns the index of each tree's first entry in {@link #flips()}, followed by the number of all
   * entries. Not a copy.
   */
  public int[] firstFlip() {
    return firstFlip;
  }

  /**
   * Returns, for each bit of the code bytes of oblivious trees, the number of the predicate whose
   * bitmap is the plane of this bit; {@link #none()} for a bit that no code uses. Not a copy.
   */
  public int[] planes() {
    return planes;
  }

  /**
   * Returns the index of a group's first entry in {@link #planes()}; -1 if a tree of the group is
   * not oblivious and the group's code planes must be computed from regions.
   */
  public int firstPlane(int group) {
    return firstPlane[group];
  }

  /**
   * Returns the number of the empty bitmap. The {@link BlockBuffers#SLACK} bitmaps before it may be
   * overwritten.
   */
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
