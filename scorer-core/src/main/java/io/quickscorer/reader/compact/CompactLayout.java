// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of our own binary file: a header, a table of sections, and the sections, all little
 * endian.
 *
 * <pre>
 * offset  bytes
 *      0      8  magic
 *      8      4  version of the layout
 *     12      4  CRC-32C of the whole file but these four bytes
 *     16      8  bytes of the file
 *     24      4  number of sections
 *     28      4  zero
 *     32   24 n  per section: id, flags, offset, length (4, 4, 8, 8 bytes)
 * </pre>
 *
 * <p>Sections follow each other in the table's order, each at a multiple of 8, so that a mapped
 * file can be read as arrays. Each column runs over all trees: splits of a tree in preorder, leaves
 * from left to right. The children are not numbers but two bits per split, whether the left and
 * whether the right child is a leaf; with the preorder that says all, and no bits can describe a
 * node with two parents or a cycle.
 *
 * <p>A later version may add sections. One flagged {@link #REQUIRED} changes scores, and a reader
 * that does not know it refuses the file; others it passes over.
 */
public final class CompactLayout {
  /** Not ASCII, and with line ends and an end of file that transfers as text would change. */
  static final long MAGIC = 0x0a1a0a0d_4d535189L;

  static final int VERSION = 1;
  static final int VERSION_AT = 8;
  public static final int CHECKSUM_AT = 12;
  public static final int LENGTH_AT = 16;
  static final int COUNT_AT = 24;
  public static final int HEADER_BYTES = 32;
  static final int ENTRY_BYTES = 24;
  static final int ALIGNMENT = 8;

  /** Flag of a section without which the model would score otherwise. */
  static final int REQUIRED = 1;

  /** Sections a file may have; ours has at most 25. */
  static final int MAX_SECTIONS = 256;

  /** Scalars of the ensemble, doubles in the order of {@link Scalar}. */
  static final int SCALARS = 1;

  /** Names of the accumulator and of the output transform's kind: strings. */
  static final int ARITHMETIC = 16;

  /** Per linear term: the feature, 4 bytes. A linear model has no trees and no other has these. */
  static final int TERM_FEATURES = 17;

  /** Per linear term: the weight as a double. */
  static final int TERM_WEIGHTS = 18;

  /** Per linear term: the normaliser's offset and divisor as floats. */
  static final int TERM_NORMALISERS = 19;

  /** By what the raw score is divided, 4 bytes; absent where that is 1. */
  static final int DIVISOR = 20;

  /** Per bag: how many trees it has, 4 bytes; absent where trees are not summed in bags. */
  static final int BAGS = 21;

  /** Derived columns, see {@link CompactDerived}; absent where there are none. */
  static final int DERIVED = 22;

  /** Linear leaves, see {@link CompactLinearLeaves}; absent where there are none. */
  static final int LINEAR_LEAVES = 23;

  /** Of the sets that are sparse, the places of their words, 4 bytes each; absent if none is. */
  static final int SET_PLACES = 24;

  /** Values of categorical features' codes, see {@link CompactCategories}; absent if none has. */
  static final int CATEGORIES = 25;

  /** The largest of these numbers. */
  static final int LAST = CATEGORIES;

  /** Format, version, objective, notes: strings. */
  static final int SOURCE = 2;

  /** Names of the features: strings. */
  static final int NAMES = 3;

  /** Per tree: number of splits, 4 bytes. */
  static final int TREES = 4;

  /** Per split: {@link #LEFT_LEAF} and the bits after it. */
  static final int NODES = 5;

  /** Per split: the feature, 4 bytes. */
  static final int FEATURES = 6;

  /** Per split: the threshold as a float; 0 at a categorical split. */
  static final int THRESHOLDS = 7;

  /** Per leaf: the value as a float, where all values of the model are floats. */
  static final int FLOAT_LEAVES = 8;

  /** Per leaf: the value as a double. */
  static final int DOUBLE_LEAVES = 9;

  /** Per categorical split: the number n of its bitmap's words, 4 bytes; ~n of a sparse set. */
  static final int SET_WORDS = 10;

  /** The bitmaps of all categorical splits. */
  static final int SET_BITMAPS = 11;

  /** Per tree: {@link #FLOAT_COVERS_BIT} and the bits after it; absent if no tree has any. */
  static final int STATISTICS = 12;

  /** Covers of the trees that have them as floats: of a tree's splits, then of its leaves. */
  static final int FLOAT_COVERS = 13;

  /** The same as doubles. */
  static final int DOUBLE_COVERS = 14;

  /** Gains of the splits of those trees that have them, as floats. */
  static final int GAINS = 15;

  static final int LEFT_LEAF = 1;
  static final int RIGHT_LEAF = 2;
  static final int MISSING_LEFT = 4;
  static final int ZERO_MISSING = 8;
  static final int CATEGORICAL = 16;
  static final int TOWARD_ZERO = 32;

  static final int FLOAT_COVERS_BIT = 1;
  static final int DOUBLE_COVERS_BIT = 2;
  static final int GAINS_BIT = 4;

  /** The order of the ensemble's scalars in their section. */
  enum Scalar {
    INITIAL_SCORE,
    SCALE,
    BIAS,
    TRANSFORM_PARAMETER,
    TRANSFORM_DIVISOR
  }

  private CompactLayout() {}

  /** The checksum of a file. */
  public static int checksum(ByteBuffer file) {
    CRC32C crc = new CRC32C();
    crc.update(file.slice(0, CHECKSUM_AT));
    int rest = CHECKSUM_AT + Integer.BYTES;
    crc.update(file.slice(rest, file.limit() - rest));
    return (int) crc.getValue();
  }

  /** Whether a file begins as ours do. */
  public static boolean recognises(ByteBuffer file) {
    return file.limit() >= Long.BYTES
        && file.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(0) == MAGIC;
  }
}
