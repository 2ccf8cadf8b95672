// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.ensemble.DerivedColumns;
import io.quickscorer.ensemble.DerivedColumns.Statistic;
import io.quickscorer.ensemble.LinearLeaves;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.NodeStatistics;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import org.jspecify.annotations.Nullable;

/** Equality of ensembles in all their parts. */
public final class Ensembles {
  private Ensembles() {}

  public static void assertSame(TreeEnsemble expected, TreeEnsemble found) {
    assertEquals(expected.source(), found.source());
    assertEquals(expected.featureNames(), found.featureNames());
    assertEquals(expected.initialScore(), found.initialScore());
    assertEquals(expected.scale(), found.scale());
    assertEquals(expected.bias(), found.bias());
    assertEquals(expected.divisor(), found.divisor());
    assertArrayEquals(expected.treesPerBag(), found.treesPerBag());
    assertEquals(expected.accumulator(), found.accumulator());
    assertEquals(expected.transform(), found.transform());
    assertEquals(expected.shape(), found.shape());
    assertEquals(expected.categories(), found.categories());
    assertSame(expected.linear(), found.linear());
    assertSame(expected.derived(), found.derived());
    for (int t = 0; t < expected.trees().size(); t++) {
      assertSame(expected.trees().get(t), found.trees().get(t), "tree " + t);
    }
  }

  private static void assertSame(@Nullable LinearTerms expected, @Nullable LinearTerms found) {
    assertEquals(expected == null, found == null);
    if (expected == null || found == null) {
      return;
    }
    assertEquals(expected.size(), found.size());
    for (int term = 0; term < expected.size(); term++) {
      assertEquals(expected.feature(term), found.feature(term));
      assertEquals(expected.weight(term), found.weight(term));
      assertEquals(expected.offset(term), found.offset(term));
      assertEquals(expected.divisor(term), found.divisor(term));
    }
  }

  private static void assertSame(
      @Nullable DerivedColumns expected, @Nullable DerivedColumns found) {
    assertEquals(expected == null, found == null);
    if (expected == null || found == null) {
      return;
    }
    assertEquals(expected.codes(), found.codes());
    assertEquals(expected.statistics().size(), found.statistics().size());
    for (int s = 0; s < expected.statistics().size(); s++) {
      Statistic a = expected.statistics().get(s);
      Statistic b = found.statistics().get(s);
      assertArrayEquals(a.combination().categories(), b.combination().categories());
      assertArrayEquals(a.combination().numbers(), b.combination().numbers());
      assertArrayEquals(a.combination().bounds(), b.combination().bounds());
      assertArrayEquals(a.combination().missingIsAbove(), b.combination().missingIsAbove());
      assertArrayEquals(a.combination().tested(), b.combination().tested());
      assertArrayEquals(a.combination().hashes(), b.combination().hashes());
      assertArrayEquals(a.keys(), b.keys());
      assertArrayEquals(a.otherwise(), b.otherwise());
      assertArrayEquals(a.values(), b.values());
    }
  }

  private static void assertSame(Tree expected, Tree found, String where) {
    assertEquals(expected.splits(), found.splits(), where);
    assertEquals(expected.depth(), found.depth(), where);
    for (int split = 0; split < expected.splits(); split++) {
      assertEquals(expected.feature(split), found.feature(split), where);
      assertEquals(expected.threshold(split), found.threshold(split), where);
      assertEquals(expected.categories(split), found.categories(split), where);
      assertEquals(expected.missing(split), found.missing(split), where);
      assertEquals(expected.left(split), found.left(split), where);
      assertEquals(expected.right(split), found.right(split), where);
    }
    for (int leaf = 0; leaf < expected.leaves(); leaf++) {
      assertEquals(expected.leafValue(leaf), found.leafValue(leaf), where);
    }
    assertSame(expected.leaves(), expected.linearLeaves(), found.linearLeaves(), where);
    assertSame(expected, expected.statistics(), found.statistics(), where);
  }

  private static void assertSame(
      int leaves, @Nullable LinearLeaves expected, @Nullable LinearLeaves found, String where) {
    assertEquals(expected == null, found == null, where);
    for (int leaf = 0; expected != null && found != null && leaf < leaves; leaf++) {
      assertEquals(expected.constant(leaf), found.constant(leaf), where);
      assertEquals(expected.terms(leaf), found.terms(leaf), where);
      for (int term = 0; term < expected.terms(leaf); term++) {
        assertEquals(expected.feature(leaf, term), found.feature(leaf, term), where);
        assertEquals(expected.coefficient(leaf, term), found.coefficient(leaf, term), where);
      }
    }
  }

  private static void assertSame(
      Tree tree, NodeStatistics expected, NodeStatistics found, String where) {
    assertEquals(expected.hasCovers(), found.hasCovers(), where);
    // One leaf has no split that could lack a gain, so whether it has all of them says nothing.
    assertEquals(
        tree.splits() > 0 && expected.hasGains(), tree.splits() > 0 && found.hasGains(), where);
    for (int split = 0; split < tree.splits(); split++) {
      if (expected.hasCovers()) {
        assertEquals(expected.splitCover(split), found.splitCover(split), where);
      }
      if (expected.hasGains()) {
        assertEquals(expected.gain(split), found.gain(split), where);
      }
    }
    for (int leaf = 0; leaf < tree.leaves() && expected.hasCovers(); leaf++) {
      assertEquals(expected.leafCover(leaf), found.leafCover(leaf), where);
    }
  }
}
