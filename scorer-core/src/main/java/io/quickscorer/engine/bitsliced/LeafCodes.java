// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

import io.quickscorer.ensemble.Tree;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Assigns codes of K bits to all nodes of a tree such that few bits differ (flip) between a node
 * and its children. The codes of the leaves are distinct. See {@link BitProgram}.
 *
 * <p>For any choice of the leaves' codes, the "small parsimony" algorithm finds the minimal number
 * of flips. From the leaves upwards, it computes which values each bit can have at minimal cost. If
 * two children have no value in common, the bit costs one flip. All K bits are processed at once,
 * as bits of an int. (W. Fitch, "Toward defining the course of evolution", Systematic Zoology
 * 20(4), 1971.)
 *
 * <p>At first, leaves are numbered depth-first, larger subtrees first. Then random exchanges of two
 * codes are tried, and kept unless the number of flips grows. The two leaves of a cherry (a split
 * with two leaves) always have codes that differ in bit 0.
 */
final class LeafCodes {
  /** Number of random exchanges of two leaves' codes that are tried, per leaf of the tree. */
  private static final int TRIES_PER_LEAF = 12;

  private final TreeLayout layout;
  private final Tree tree;
  private final int bits;
  private final int mask;

  private final int[] codes;

  /** For each code, the number of the leaf that has this code, or -1 if no leaf has it. */
  private final int[] owner;

  /**
   * For each split, a mask of the bits of its code that may be 1. A bit may be 1 if this causes at
   * most as many flips (changed bits) below the split as 0 does. A split with two leaves always has
   * the code of its left leaf.
   */
  private final int[] may1;

  /**
   * For each split, a mask of the bits of its code that may be 0. A bit may be 0 if this causes at
   * most as many flips (changed bits) below the split as 1 does. A split with two leaves always has
   * the code of its left leaf.
   */
  private final int[] may0;

  /**
   * For each split, the number of flips (changed bits) on the edges to its children; 0 for a split
   * with two leaves.
   */
  private final int[] conflicts;

  /** The number that the search for codes reduces: the sum of {@link #conflicts}. */
  private int cost;

  LeafCodes(TreeLayout layout, int bits) {
    this.layout = layout;
    this.tree = layout.tree;
    this.bits = bits;
    this.mask = (1 << bits) - 1;
    this.codes = new int[tree.leaves()];
    this.owner = new int[1 << bits];
    this.may1 = new int[tree.splits()];
    this.may0 = new int[tree.splits()];
    this.conflicts = new int[tree.splits()];
    Arrays.fill(owner, -1);
    if (tree.splits() > 0) {
      place();
    } else {
      owner[0] = 0;
    }
    for (int leaf = 0; leaf < codes.length; leaf++) {
      owner[codes[leaf]] = leaf;
    }
    for (int q = layout.order.length - 1; q >= 0; q--) {
      evaluate(layout.order[q]);
    }
  }

  /** Assigns initial codes, depth-first. Codes of a split's two leaves differ only in bit 0. */
  private void place() {
    int[] stack = new int[tree.splits() + 1];
    int top = 0;
    int next = 0;
    int hole = -1;
    stack[top++] = 0;
    while (top > 0) {
      int node = stack[--top];
      if (node < 0) {
        if (hole >= 0) {
          codes[~node] = hole;
          hole = -1;
        } else {
          codes[~node] = next;
          hole = next + 1;
          next += 2;
        }
      } else if (layout.isCherry(node)) {
        codes[~tree.left(node)] = next;
        codes[~tree.right(node)] = next + 1;
        next += 2;
      } else {
        boolean leftFirst = layout.leaves(tree.left(node)) >= layout.leaves(tree.right(node));
        stack[top++] = leftFirst ? tree.right(node) : tree.left(node);
        stack[top++] = leftFirst ? tree.left(node) : tree.right(node);
      }
    }
  }

  private int may1(int child) {
    return child >= 0 ? may1[child] : codes[~child];
  }

  private int may0(int child) {
    return child >= 0 ? may0[child] : ~codes[~child] & mask;
  }

  /** Computes {@link #may0}, {@link #may1} and {@link #conflicts} of a split from its children. */
  private void evaluate(int split) {
    int left = tree.left(split);
    int right = tree.right(split);
    if (left < 0 && right < 0) {
      may1[split] = codes[~left];
      may0[split] = ~codes[~left] & mask;
      return;
    }
    int agree1 = may1(left) & may1(right);
    int agree0 = may0(left) & may0(right);
    int conflict = ~(agree1 | agree0) & mask;
    may1[split] = agree1 | conflict & (may1(left) | may1(right));
    may0[split] = agree0 | conflict & (may0(left) | may0(right));
    cost += Integer.bitCount(conflict) - conflicts[split];
    conflicts[split] = Integer.bitCount(conflict);
  }

  /**
   * Recomputes the splits above a leaf whose code has changed, from the leaf upwards. Stops at the
   * first split whose result stays the same.
   */
  private void carryUp(int leaf) {
    int split = leaf < 0 ? -1 : layout.leafParent[leaf];
    while (split >= 0) {
      int old1 = may1[split];
      int old0 = may0[split];
      evaluate(split);
      split = may1[split] == old1 && may0[split] == old0 ? -1 : layout.parent[split];
    }
  }

  /**
   * Exchanges the codes of random pairs of leaves, and undoes each exchange that increases the
   * cost. Returns this object.
   */
  LeafCodes improve(SplittableRandom random) {
    for (int i = layout.inner == 0 ? 0 : TRIES_PER_LEAF * codes.length; i > 0; i--) {
      boolean pair = random.nextBoolean();
      int low = pair ? 1 : 0;
      int a = random.nextInt(mask + 1) & ~low;
      int b =
          random.nextInt(4) > 0
              ? a ^ 1 << low + randomBit(random, low)
              : random.nextInt(mask + 1) & ~low;
      b &= mask;
      if (a == b || !exchangeable(a, b, pair)) {
        continue;
      }
      int before = cost;
      exchange(a, b, pair);
      if (cost > before) {
        exchange(a, b, pair);
      }
    }
    return this;
  }

  private int randomBit(SplittableRandom random, int low) {
    return random.nextInt(Math.max(1, bits - low));
  }

  private boolean exchangeable(int a, int b, boolean pair) {
    if (pair) {
      return owner[a] >= 0 || owner[a | 1] >= 0 || owner[b] >= 0 || owner[b | 1] >= 0;
    }
    return (owner[a] >= 0 || owner[b] >= 0) && !inCherry(owner[a]) && !inCherry(owner[b]);
  }

  private boolean inCherry(int leaf) {
    return leaf >= 0 && layout.isCherry(layout.leafParent[leaf]);
  }

  private void exchange(int a, int b, boolean pair) {
    exchangeOwners(a, b);
    if (pair) {
      exchangeOwners(a | 1, b | 1);
      carryUp(owner[a | 1]);
      carryUp(owner[b | 1]);
    }
    carryUp(owner[a]);
    carryUp(owner[b]);
  }

  private void exchangeOwners(int a, int b) {
    int leafA = owner[a];
    int leafB = owner[b];
    owner[a] = leafB;
    owner[b] = leafA;
    if (leafA >= 0) {
      codes[leafA] = b;
    }
    if (leafB >= 0) {
      codes[leafB] = a;
    }
  }

  /**
   * Computes the flips on each edge of the tree: the bits in which the codes of a node and its
   * parent differ.
   *
   * @param flips receives, at the index of each node's region (see {@link TreeLayout}), the flips
   *     between the node and its parent; all elements must be 0 before the call
   * @return the root's code; the caller must XOR every leaf's code with it
   */
  int flips(int[] flips) {
    if (layout.order.length == 0) {
      return 0;
    }
    int[] states = new int[tree.splits()];
    states[0] = may1[0] & ~may0[0];
    for (int q = 0; q < layout.inner; q++) {
      int split = layout.order[q];
      for (int side = 0; side < 2; side++) {
        int child = side == 0 ? tree.left(split) : tree.right(split);
        int kept = states[split] & may1(child) | ~states[split] & may0(child);
        flips[2 * q + 2 + side] = ~kept & mask;
        if (child >= 0) {
          states[child] = states[split] ^ ~kept & mask;
        }
      }
    }
    return states[0];
  }

  int code(int leaf) {
    return codes[leaf];
  }
}
