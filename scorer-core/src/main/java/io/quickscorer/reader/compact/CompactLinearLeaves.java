// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.compact;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeBuilder;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The section of linear leaves: per tree 1 or 0, whether it has them, in 4 bytes; if so per leaf
 * the number of its terms and its constant, and per term feature and coefficient (4 and 8 bytes
 * each).
 */
final class CompactLinearLeaves {
  private static final int PAIR = Integer.BYTES + Double.BYTES;

  private CompactLinearLeaves() {}

  static long bytes(List<Tree> trees) {
    long bytes = 0;
    for (Tree tree : trees) {
      LinearLeaves linear = tree.linearLeaves();
      bytes += Integer.BYTES;
      bytes += linear == null ? 0 : ((long) tree.leaves() + linear.size()) * PAIR;
    }
    return bytes;
  }

  static void write(List<Tree> trees, ByteBuffer to) {
    for (Tree tree : trees) {
      LinearLeaves linear = tree.linearLeaves();
      to.putInt(linear == null ? 0 : 1);
      for (int leaf = 0; linear != null && leaf < tree.leaves(); leaf++) {
        to.putInt(linear.terms(leaf)).putDouble(linear.constant(leaf));
        for (int term = 0; term < linear.terms(leaf); term++) {
          to.putInt(linear.feature(leaf, term)).putDouble(linear.coefficient(leaf, term));
        }
      }
    }
  }

  /** Declares the functions of a tree's leaves, which are the nodes after its splits. */
  static void read(ByteBuffer from, TreeBuilder builder, int splits) {
    if (need(from, Integer.BYTES).getInt() == 0) {
      return;
    }
    for (int leaf = 0; leaf <= splits; leaf++) {
      int terms = need(from, PAIR).getInt();
      double constant = from.getDouble();
      if (terms < 0 || terms > from.remaining() / PAIR) {
        throw tooShort(from);
      }
      int[] features = new int[terms];
      double[] coefficients = new double[terms];
      for (int term = 0; term < terms; term++) {
        features[term] = from.getInt();
        coefficients[term] = from.getDouble();
      }
      builder.linearLeaf(splits + leaf, constant, features, coefficients);
    }
  }

  private static ByteBuffer need(ByteBuffer from, int bytes) {
    if (from.remaining() < bytes) {
      throw tooShort(from);
    }
    return from;
  }

  private static InvalidModelException tooShort(ByteBuffer from) {
    return new InvalidModelException(
        "linear leaves: " + from.remaining() + " bytes left, expected more");
  }
}
