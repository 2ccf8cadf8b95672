// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

/**
 * Looks leaf codes up in tables of ints by 512-bit permutes: 16 documents at once, the table in
 * registers. A permute takes its index from the lowest five bits of a lane and fetches from two
 * registers; further bits of the code choose between the results of several permutes.
 *
 * <p>The codes of 64 documents are one vector of bytes. Shifted by 0, 8, 16 or 24 bits, its ints
 * have the codes of 16 of them in their lowest bits; the bits above do not matter.
 */
final class LeafPermutes {
  /** Codes of more bits are cheaper to look up one by one. */
  private static final int MAX_CODE_BITS = 7;

  private LeafPermutes() {}

  /** Returns whether the codes of all trees are short enough. */
  static boolean suits(BitProgram program) {
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
