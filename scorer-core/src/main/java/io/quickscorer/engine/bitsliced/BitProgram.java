// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.TreeEnsemble;

/**
 * An ensemble compiled to operations on bitmaps, which have one bit per document. The width of the
 * bitmaps, one long (64 documents) or several, does not matter. Immutable.
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
 * some edges <i>flip</i> (invert) some bits of the code. So bit k of all documents' codes, the
 * <i>plane</i> k, is the XOR of the regions below the edges that flip bit k. {@link LeafCodes}
 * chooses codes that need few flips. A split with two leaves is a <i>cherry</i>. Its right edge
 * flips bit 0 only, so the region of its right leaf is added to plane 0 and never stored.
 *
 * <p><b>Oblivious trees</b> test the same predicate at all splits of a level. The bitmaps of these
 * predicates are then the planes, without phases 2 and 3. Trees form groups of {@link #GROUP}; all
 * codes of a group have the same number of bits.
 *
 * <p>Source: own work. For bitvectors of leaves, see Lucchese et al., "QuickScorer", SIGIR 2015;
 * for a minimal number of flips, see Fitch, "Toward defining the course of evolution", Systematic
 * Zoology 20(4), 1971.
 *
 * <p>The arrays are not copies, and no caller may change them.
 *
 * @param ensemble the ensemble from which this program was compiled
 * @param features the predicates (tests) of each feature that a split tests
 * @param predicates the number of distinct predicates, each of which has one bitmap
 * @param regions the number of bitmaps (regions) for the largest tree, including {@link #ALL} and
 *     {@link #NONE}
 * @param splits all splits, each packed as {@code region << PREDICATE_BITS | predicate}. The region
 *     is the index of the bitmap of the documents that reach the split. In a tree, splits with two
 *     leaves come last; the others are breadth-first
 * @param firstSplit the index of each tree's first split, followed by the number of all splits
 * @param firstCherry for each tree, the index in {@code splits} of its first split with two leaves
 *     (cherry)
 * @param flips the regions (bitmaps of documents) from which leaf codes are computed: for each tree
 *     and each bit k of its codes, one list. The bitmap of bit k is the XOR of the bitmap of bit
 *     {@code k - 1} and all regions in the list. For bit 0, the XOR of the right leaves of all
 *     cherries takes the place of the previous bitmap. {@link #NONE} pads each list to a multiple
 *     of four. The last element of a list is stored as {@code ~region}
 * @param firstFlip the index of each tree's first entry in {@code flips}, followed by the number of
 *     all entries
 * @param codeBits the number of bits of a leaf code (a leaf's number in its tree) in each group of
 *     trees, 1 to 10
 * @param planes predicate indexes for oblivious trees (with equal splits on a level): for each
 *     tree, one index per bit of its leaf codes. The predicate's bitmap is this bit of all
 *     documents' codes. Unused bits have the index {@link #none()}
 * @param firstPlane for each group of trees, the index in {@code planes} at which its predicates
 *     start; -1 if a tree of the group is not oblivious (has different splits on a level)
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BitProgram(
    TreeEnsemble ensemble,
    FeaturePredicates[] features,
    int predicates,
    int regions,
    int[] splits,
    int[] firstSplit,
    int[] firstCherry,
    short[] flips,
    int[] firstFlip,
    byte[] codeBits,
    int[] planes,
    int[] firstPlane) {

  /** Number of trees in a group; the last group may have fewer. */
  public static final int GROUP = 16;

  /** Index of the region (bitmap of documents) that contains every document of a block. */
  public static final int ALL = 0;

  /** Index of the region (bitmap of documents) that contains no document; used to pad lists. */
  public static final int NONE = 1;

  /** Number of low bits that contain the predicate's number in an element of {@link #splits()}. */
  public static final int PREDICATE_BITS = 21;

  /** Mask of the bits that contain the predicate's number in an element of {@link #splits()}. */
  public static final int PREDICATE_MASK = (1 << PREDICATE_BITS) - 1;

  static final int MAX_PREDICATES = 1 << PREDICATE_BITS;

  /**
   * Maximum number of leaves of a tree. The elements of {@link #splits()} have no space for more.
   */
  public static final int MAX_LEAVES = 1024;

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
   * Returns the number of bytes of a leaf code (a leaf's number in its tree) in a group of trees: 1
   * or 2.
   */
  public int codeBytes(int group) {
    return codeBits[group] > Byte.SIZE ? 2 : 1;
  }

  /**
   * Returns the index of the bitmap that contains no document. Before it are the predicates'
   * bitmaps and some spare bitmaps; kernels may overwrite the spare bitmaps.
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
