// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Determines whether a program allows looking up the leaf values of 16 documents at once. A 512-bit
 * instruction (permute) selects one of the 32 ints of two registers by the lowest five bits of a
 * code. Further bits select between the results of several permutes.
 *
 * <p>The codes of 64 documents form one vector of bytes, that is, of 16 ints. A shift by 0, 8, 16
 * or 24 bits moves the codes of 16 documents to the lowest bits of the ints.
 */
final class LeafPermutes {
  /** Maximum number of bits of a leaf code. For longer codes, single look-ups are faster. */
  private static final int MAX_CODE_BITS = 7;

  private LeafPermutes() {}

  /** Returns whether the leaf codes of all trees have at most {@link #MAX_CODE_BITS} bits. */
  static boolean supports(BitProgram program) {
    for (int group = 0; group < program.groups(); group++) {
      if (program.codeBits()[group] > MAX_CODE_BITS) {
        return false;
      }
    }
    return true;
  }

  static int indexBits(BitProgram program, int group) {
    return LeafTable.indexBits(program.codeBits()[group]);
  }

  static int trees(BitProgram program, int group) {
    return program.endTree(group) - program.firstTree(group);
  }
}
