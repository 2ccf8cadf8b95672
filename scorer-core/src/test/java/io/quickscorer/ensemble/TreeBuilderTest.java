// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategorySet.Rounding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What a tree must be, and the message by which it is refused otherwise. */
final class TreeBuilderTest {
  private static final EnsembleLimits SMALL = new EnsembleLimits(3, 4, 2, 10, 20, 100);
  private static final MissingValue RULE = MissingValue.NAN_RIGHT;

  private final TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 2, false);

  private static void refused(String message, Executable action) {
    assertEquals(message, assertThrows(InvalidModelException.class, action).getMessage());
  }

  @Test
  void numbersSplitsInPreorderAndLeavesLeftToRight() {
    builder.start(0, 7);
    builder.leaf(0, 30);
    builder.leaf(1, 10);
    builder.leaf(2, 40);
    builder.split(3, 1, 1.5f, MissingValue.NAN_LEFT, 1, 6);
    builder.split(4, 0, 0.5f, MissingValue.ZERO_RIGHT, 3, 5);
    builder.split(5, 1, CategorySet.ofBitmap(new long[] {2}, Rounding.TOWARD_ZERO), RULE, 0, 2);
    builder.leaf(6, 20);
    Tree tree = builder.build(4);
    assertEquals(3, tree.splits());
    assertEquals(2, tree.depth());
    for (int leaf = 0; leaf < 4; leaf++) {
      assertEquals(10 * (leaf + 1), tree.leafValue(leaf));
    }
    assertEquals(0, tree.feature(0));
    assertEquals(1, tree.left(0));
    assertEquals(2, tree.right(0));
    assertEquals(~0, tree.left(1));
    assertEquals(~1, tree.right(1));
    assertEquals(1.5f, tree.threshold(1));
    assertNull(tree.categories(1));
    assertEquals(MissingValue.ZERO_RIGHT, tree.missing(0));
    assertEquals(1, tree.categories(2).size());
  }

  @Test
  void aTreeMayBeOneLeaf() {
    builder.start(0, 1).leaf(0, 7);
    Tree tree = builder.build(0);
    assertEquals(0, tree.splits());
    assertEquals(1, tree.leaves());
    assertEquals(7, tree.leafValue(0));
  }

  private void declareThreeLeaves() {
    builder.start(0, 5);
    builder.split(4, 1, 1f, RULE, 3, 0);
    builder.split(3, 0, 1f, RULE, 2, 1);
    for (int node = 0; node < 3; node++) {
      builder.leaf(node, node);
    }
  }

  @Test
  void statisticsFollowTheirNodes() {
    declareThreeLeaves();
    // 2^24 + 1 is no float.
    double[] covers = {1, 2, 16_777_217, 4, 5};
    for (int node = 0; node < 5; node++) {
      builder.cover(node, covers[node]);
    }
    builder.gain(3, 30);
    builder.gain(4, 40);
    NodeStatistics statistics = builder.build(4).statistics();
    assertTrue(statistics.hasCovers() && statistics.hasGains());
    assertEquals(5, statistics.splitCover(0));
    assertEquals(4, statistics.splitCover(1));
    assertEquals(16_777_217, statistics.leafCover(0));
    assertEquals(2, statistics.leafCover(1));
    assertEquals(1, statistics.leafCover(2));
    assertEquals(40, statistics.gain(0));
    assertEquals(30, statistics.gain(1));
  }

  @Test
  void statisticsAreWholeOrAbsent() {
    declareThreeLeaves();
    for (int node = 0; node < 5; node++) {
      builder.cover(node, node == 2 ? Double.NaN : 1);
    }
    builder.gain(3, 1);
    NodeStatistics partial = builder.build(4).statistics();
    assertFalse(partial.hasCovers());
    assertFalse(partial.hasGains());
    declareThreeLeaves();
    NodeStatistics none = builder.build(4).statistics();
    assertFalse(none.hasCovers() || none.hasGains(), "the last tree's are forgotten");
    refused("tree 0, node 5: the node is out of range, expected 0..4", () -> builder.cover(5, 1));
    refused("tree 0, node -1: the node is out of range, expected 0..4", () -> builder.gain(-1, 1));
    assertThrows(IllegalStateException.class, () -> none.leafCover(0));
    assertThrows(IllegalStateException.class, () -> none.gain(0));
  }

  @Test
  void nothingOfATreeIsKeptForTheNext() {
    CategorySet set = CategorySet.ofBitmap(new long[] {2}, Rounding.TOWARD_ZERO);
    builder.start(0, 3).split(0, 1, set, RULE, 1, 2);
    builder.leaf(1, 1);
    builder.leaf(2, 2);
    assertEquals(set, builder.build(0).categories(0));
    builder.start(1, 3).split(0, 1, 0.5f, RULE, 1, 2);
    builder.leaf(1, 1);
    builder.leaf(2, 2);
    assertNull(builder.build(0).categories(0));
  }

  @Test
  void minusZeroBecomesZero() {
    builder.start(0, 3).split(0, 0, -0f, RULE, 1, 2);
    builder.leaf(1, 1);
    builder.leaf(2, 2);
    assertEquals(0, Float.floatToRawIntBits(builder.build(0).threshold(0)));
  }

  @Test
  void noNodes() {
    refused("tree 2: 0 nodes, expected 1 or more", () -> builder.start(2, 0));
  }

  @Test
  void nodeOutOfRange() {
    builder.start(1, 3);
    refused("tree 1, node 3: the node is out of range, expected 0..2", () -> builder.leaf(3, 1));
    refused("tree 1, node -1: the node is out of range, expected 0..2", () -> builder.leaf(-1, 1));
  }

  @Test
  void declaredTwice() {
    builder.start(1, 3).leaf(1, 1);
    refused("tree 1, node 1: the node is declared twice", () -> builder.leaf(1, 1));
  }

  @Test
  void childOutOfRange() {
    builder.start(12, 63);
    refused(
        "tree 12, node 7: left child 93, expected 0..62",
        () -> builder.split(7, 0, 1f, RULE, 93, 2));
    refused(
        "tree 12, node 8: right child -1, expected 0..62",
        () -> builder.split(8, 0, 1f, RULE, 1, -1));
  }

  @Test
  void featureOutOfRange() {
    builder.start(0, 3);
    refused("tree 0, node 0: feature 2, expected 0..1", () -> builder.split(0, 2, 1f, RULE, 1, 2));
    refused(
        "tree 0, node 1: feature -1, expected 0..1", () -> builder.split(1, -1, 1f, RULE, 1, 2));
  }

  @Test
  void notANumber() {
    builder.start(0, 3);
    refused(
        "tree 0, node 0: found threshold NaN, expected a number",
        () -> builder.split(0, 0, Float.NaN, RULE, 1, 2));
    refused(
        "tree 0, node 1: leaf value Infinity, expected a finite number",
        () -> builder.leaf(1, Double.POSITIVE_INFINITY));
  }

  @Test
  void cycle() {
    builder.start(0, 3).split(0, 0, 1f, RULE, 1, 2);
    builder.split(1, 0, 1f, RULE, 0, 2);
    builder.leaf(2, 1);
    refused("tree 0, node 1: child 2 already has a parent or is the root", () -> builder.build(0));
  }

  @Test
  void childOfItself() {
    builder.start(0, 3).split(0, 0, 1f, RULE, 0, 2);
    builder.leaf(2, 1);
    refused("tree 0, node 0: child 0 already has a parent or is the root", () -> builder.build(0));
  }

  @Test
  void bothChildrenTheSame() {
    builder.start(0, 3).split(0, 0, 1f, RULE, 1, 1);
    builder.leaf(1, 1);
    refused("tree 0, node 0: child 1 already has a parent or is the root", () -> builder.build(0));
  }

  @Test
  void neverDeclared() {
    builder.start(0, 3).split(0, 0, 1f, RULE, 1, 2);
    builder.leaf(1, 1);
    refused(
        "tree 0, node 2: the node is the root or a child, but it was never defined as a split or a"
            + " leaf",
        () -> builder.build(0));
  }

  @Test
  void outOfReach() {
    builder.start(0, 2).leaf(0, 1);
    builder.leaf(1, 1);
    refused("tree 0, node 1: the node cannot be reached from the root", () -> builder.build(0));
  }

  @Test
  void deletedNodesAreLeftOutWhereTheFormatKeepsThem() {
    TreeBuilder pruned = new TreeBuilder(EnsembleLimits.DEFAULT, 2, true);
    pruned.start(0, 3).leaf(0, 5);
    assertEquals(5, pruned.build(0).leafValue(0));
  }

  @Test
  void rootOutOfRange() {
    builder.start(0, 1).leaf(0, 1);
    refused("tree 0, node 1: the root is out of range, expected 0..0", () -> builder.build(1));
    refused("tree 0, node -1: the root is out of range, expected 0..0", () -> builder.build(-1));
  }

  @Test
  void limits() {
    refused("features: 11, at most 10 allowed", () -> new TreeBuilder(SMALL, 11, false));
    TreeBuilder small = new TreeBuilder(SMALL, 2, false);
    refused("trees: 4, at most 3 allowed", () -> small.start(3, 1));
    refused("tree 0: leaves: 5, at most 4 allowed", () -> small.start(0, 9));
    small.start(0, 7);
    refused(
        "tree 0, node 0: category: 127, at most 100 allowed",
        () -> {
          CategorySet set = CategorySet.ofBitmap(new long[] {0, -1L}, Rounding.TOWARD_ZERO);
          small.split(0, 0, set, RULE, 1, 2);
        });
    for (int node = 0; node < 6; node += 2) {
      small.split(node, 0, 1f, RULE, node + 1, node + 2);
      small.leaf(node + 1, 1);
    }
    small.leaf(6, 1);
    refused("tree 0: depth: 3, at most 2 allowed", () -> small.build(0));
    small.start(1, 7);
    refused("nodes of all trees: 21, at most 20 allowed", () -> small.start(2, 7));
  }

  /** As many as the limits allow are built; deleted nodes are no leaves. */
  @Test
  void leavesThatAreLeftCount() {
    TreeBuilder small = new TreeBuilder(SMALL, 10, true);
    small.start(2, 9);
    chain(small, 4);
    assertEquals(2, small.build(4).depth());
    small.start(2, 9);
    chain(small, 0);
    refused("tree 2: leaves: 5, at most 4 allowed", () -> small.build(0));
  }

  /** A chain of splits down to the one at node 6. */
  private static void chain(TreeBuilder builder, int first) {
    for (int node = first; node < 8; node += 2) {
      builder.split(node, 9, 1f, RULE, node + 1, node + 2);
      builder.leaf(node + 1, 1);
    }
    builder.leaf(8, 1);
  }
}
