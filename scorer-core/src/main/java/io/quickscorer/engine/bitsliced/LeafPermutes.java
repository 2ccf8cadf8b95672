// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * The conditions for looking up leaf codes by 512-bit permute instructions: 16 documents at once,
 * with the table of ints in registers. A permute selects one of the 32 ints of two registers by the
 * lowest five bits of a lane. Further bits of the code select between the results of several
 * permutes.
 *
 * <p>The codes of 64 documents form one vector of bytes. After a shift by 0, 8, 16 or 24 bits, the
 * lowest bits of its ints are the codes of 16 of these documents; the higher bits are ignored.
 */
final class LeafPermutes {
  /** Maximum number of bits of a code; looking up longer codes one by one is faster. */
  private static final int MAX_CODE_BITS = 7;

  private LeafPermutes() {}

  /**
   * Returns whether permutes can look up the codes of all trees, because the codes are short
   * enough.
   */
  static boolean supports(BitProgram program) {
    for (int group = 0; group < program.groups(); group++) {
      if (program.codeBits(group) > MAX_CODE_BITS) {
        return false;
      }
    }
    return true;
  }

  static int indexBits(BitProgram program, int group) {
    return LeafTable.indexBits(program.codeBits(group));
  }

  static int trees(BitProgram program, int group) {
    return program.endTree(group) - program.firstTree(group);
  }
}
