// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.CategorySet.Rounding;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What an ensemble says of itself, and what is no ensemble. */
final class TreeEnsembleTest {
  private static final ModelSource SOURCE = new ModelSource(new ModelFormat("test"), "1", "none");
  private static final List<String> NAMES = List.of("a", "b", "c");

  /** Two splits on feature 2, one of them on categories, then a tree of one leaf. */
  private static List<Tree> trees() {
    TreeBuilder builder = new TreeBuilder(EnsembleLimits.DEFAULT, 3, false);
    CategorySet set = CategorySet.ofBitmap(new long[] {6}, Rounding.TOWARD_ZERO);
    builder.start(0, 5).split(0, 2, 0.5f, MissingValue.ZERO_LEFT, 1, 2);
    builder.leaf(1, 1);
    builder.split(2, 2, set, MissingValue.NAN_RIGHT, 3, 4);
    builder.leaf(3, 2);
    builder.leaf(4, 3);
    Tree first = builder.build(0);
    builder.start(1, 1).leaf(0, 4);
    return List.of(first, builder.build(0));
  }

  private static TreeEnsemble.Builder builder() {
    return TreeEnsemble.builder(NAMES, SOURCE);
  }

  private static void refused(String message, Executable action) {
    assertEquals(message, assertThrows(InvalidModelException.class, action).getMessage());
  }

  @Test
  void shape() {
    assertEquals(
        new EnsembleShape(3, 1, 2, 3, 2, 2, 4, 1, 1), builder().trees(trees()).build().shape());
  }

  /** Engines take either; no trainer makes both. */
  @Test
  void noBagsOfLinearLeaves() {
    TreeBuilder tree = new TreeBuilder(EnsembleLimits.DEFAULT, 3, false);
    tree.start(0, 1).leaf(0, 5);
    tree.linearLeaf(0, 1, new int[] {0}, new double[] {2});
    List<Tree> linear = List.of(tree.build(0));
    assertTrue(builder().trees(linear).build().hasLinearLeaves());
    refused(
        "trees in bags (separate forests, whose sums are added) cannot have linear leaves",
        () -> builder().trees(linear).treesPerBag(1).build());
  }

  @Test
  void usedFeatures() {
    TreeEnsemble trees = builder().trees(trees()).build();
    assertTrue(trees.uses(2));
    assertFalse(trees.uses(0) || trees.uses(1));
    LinearTerms terms = LinearTerms.of(new int[] {1, 0}, new double[] {1, 1});
    TreeEnsemble linear = builder().linear(terms).build();
    assertTrue(linear.uses(0) && linear.uses(1));
    assertFalse(linear.uses(2));
    assertSame(terms, linear.linear());
    assertEquals(new EnsembleShape(3, 2, 0, 0, 0, 0, 0, 0, 0), linear.shape());
  }

  @Test
  void whatIsNotSetIsNeutral() {
    TreeEnsemble plain = builder().trees(trees()).build();
    assertEquals(NAMES, plain.featureNames());
    assertSame(SOURCE, plain.source());
    assertEquals(Accumulator.DOUBLE, plain.accumulator());
    assertEquals(OutputTransform.IDENTITY, plain.transform());
    assertEquals(0, plain.initialScore());
    assertNull(plain.linear());
    assertEquals(-0.0, plain.rawScore(-0.0), "the sum as it is");
    assertEquals(0.1, plain.rawScore(0.1));
  }

  @Test
  void scaleAndBias() {
    assertEquals(23, builder().trees(trees()).scaleAndBias(2, 3).build().rawScore(10));
    assertEquals(20, builder().trees(trees()).scaleAndBias(2, 0).build().rawScore(10));
    assertEquals(13, builder().trees(trees()).scaleAndBias(1, 3).build().rawScore(10));
  }

  @Test
  void names() {
    refused(
        "feature 1: its name [a] is already taken",
        () -> TreeEnsemble.builder(List.of("a", "a"), SOURCE));
    refused(
        "feature 2: its name is empty", () -> TreeEnsemble.builder(List.of("a", "b", ""), SOURCE));
  }

  @Test
  void numbers() {
    refused(
        "initial score: NaN, expected a finite number", () -> builder().initialScore(Double.NaN));
    refused(
        "scale: Infinity, expected a finite number",
        () -> builder().scaleAndBias(Double.POSITIVE_INFINITY, 0));
    refused("scale: found 0, expected another number", () -> builder().scaleAndBias(-0.0, 1));
    refused(
        "bias: -Infinity, expected a finite number",
        () -> builder().scaleAndBias(1, Double.NEGATIVE_INFINITY));
  }

  @Test
  void featuresThatDoNotExistAreRefused() {
    LinearTerms terms = LinearTerms.of(new int[] {5}, new double[] {1});
    refused(
        "a split or term uses feature 5, but the largest feature is 0",
        () -> TreeEnsemble.builder(List.of("a"), SOURCE).linear(terms).build());
  }

  @Test
  void eitherTreesOrTerms() {
    refused("found 0 trees, expected 1 or more", () -> builder().build());
    LinearTerms terms = LinearTerms.of(new int[] {0}, new double[] {1});
    refused(
        "found 2 trees in a linear model, expected none",
        () -> builder().trees(trees()).linear(terms).build());
  }

  @Test
  void whereAValueGoes() {
    Tree tree = trees().getFirst();
    assertTrue(tree.goesLeft(0, 0.5f));
    assertFalse(tree.goesLeft(0, Math.nextUp(0.5f)));
    assertTrue(tree.goesLeft(0, Float.NaN));
    assertTrue(tree.goesLeft(1, 2));
    assertFalse(tree.goesLeft(1, 3));
    assertFalse(tree.goesLeft(1, Float.NaN));
  }

  @Test
  void missingValues() {
    for (MissingValue rule : MissingValue.values()) {
      assertTrue(rule.isMissing(Float.NaN));
      assertFalse(rule.isMissing(Math.nextUp(MissingValue.ZERO_BOUND)));
      for (float zero : new float[] {0f, MissingValue.ZERO_BOUND, -MissingValue.ZERO_BOUND}) {
        assertEquals(rule.zeroIsMissing(), rule.isMissing(zero), () -> rule + " of " + zero);
      }
      assertEquals(rule, MissingValue.of(rule.left(), rule.zeroIsMissing()));
      assertEquals(!rule.left(), rule.swapped().left());
      assertEquals(rule.zeroIsMissing(), rule.swapped().zeroIsMissing());
    }
    assertTrue(MissingValue.ZERO_LEFT.left() && MissingValue.ZERO_LEFT.zeroIsMissing());
    assertFalse(MissingValue.NAN_RIGHT.left() || MissingValue.NAN_RIGHT.zeroIsMissing());
  }

  @Test
  void failuresNameTheirPlace() {
    InvalidModelException limit =
        assertThrows(
            InvalidModelException.class,
            () -> EnsembleLimits.DEFAULT.check("trees", 100_001, Limit.TREES));
    assertEquals("trees: 100001, at most 100000 allowed", limit.getMessage());
    assertEquals("byte 7: " + limit.getMessage(), limit.at(7).getMessage());
    assertEquals("definition: " + limit.getMessage(), limit.in("definition").getMessage());
    assertEquals(Limit.TREES, limit.limit());
    assertEquals(Limit.TREES, limit.at(7).limit());
    assertEquals(Limit.TREES, limit.in("definition").limit());
    assertEquals("byte 8: x", InvalidModelException.at(8, "x").getMessage());
    EnsembleLimits.DEFAULT.check("trees", 100_000, Limit.TREES);
  }

  @Test
  void notes() {
    assertEquals(List.of(), SOURCE.notes());
    assertEquals(List.of("n"), new ModelSource(new ModelFormat("f"), "", "", List.of("n")).notes());
  }
}
