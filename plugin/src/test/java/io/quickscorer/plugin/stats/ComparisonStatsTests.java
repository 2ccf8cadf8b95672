// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.test.OpenSearchTestCase;

public class ComparisonStatsTests extends OpenSearchTestCase {
  private static final ModelId A = new ModelId("a", "1");
  private static final ModelId B = new ModelId("b", "1");

  private static double[] ascending(int documents) {
    return IntStream.range(0, documents).asDoubleStream().toArray();
  }

  public void testRankingsAreThoseOfTheAnswer() {
    assertArrayEquals(
        new int[] {4, 0, 2, 3, 1},
        Agreement.ranking(new double[] {0.5, -3, -0.0, 0.0, Double.MAX_VALUE}));
    assertArrayEquals(new int[] {0, 1}, Agreement.ranking(new double[] {1, 1 + 1e-12}));
  }

  public void testAgreementIsBetweenTheSameAndTheReverse() {
    int[] up = Agreement.ranking(ascending(20));
    int[] down = IntStream.range(0, 20).toArray();
    assertEquals(new Agreement(true, 1, 1), Agreement.of(up, up));
    assertEquals(new Agreement(false, 0, -1), Agreement.of(up, down));
    // Two neighbours changed places: 1 - 6 * 2 / (20 * 399).
    int[] changed = up.clone();
    changed[9] = up[10];
    changed[10] = up[9];
    Agreement close = Agreement.of(up, changed);
    assertTrue(close.sameFirst());
    assertEquals(0.9, close.overlap(), 1e-12);
    assertEquals(1 - 12.0 / (20 * 399), close.correlation(), 1e-12);
    assertEquals(Double.NaN, Agreement.of(new int[] {0, 1}, new int[] {0, 1}).overlap(), 0);
  }

  public void testNodesAreAddedUp() throws Exception {
    ComparisonStats one = new ComparisonStats();
    ComparisonStats other = new ComparisonStats();
    double[] down = IntStream.range(0, 20).mapToDouble(i -> -i).toArray();
    one.scored("", List.of(A, B), new double[][] {ascending(20), ascending(20)});
    other.scored("", List.of(A, B), new double[][] {ascending(20), down});
    other.scored("", List.of(A, B), new double[][] {ascending(1), ascending(1)});
    ComparisonStats.Teams teams = ComparisonStats.Teams.of("b", "a", "");
    one.interleaved(teams);
    one.clicked(teams, 2, 1);
    other.clicked(teams, 1, 1);
    one.drawn("live", "a");
    other.drawn("live", "a");
    ComparisonCounts sum = one.counts().and(other.counts());
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      sum.writeTo(out);
      assertEquals(sum, WireRecord.read(out.bytes().streamInput(), ComparisonCounts.class));
    }
    assertEquals(2L, (long) sum.draws().get("live").get("a"));
    assertEquals(List.of(new ComparisonCounts.Agreeing(A, B, "", 2, 1, 2, 1, 0)), sum.agreements());
    assertEquals(List.of(new ComparisonCounts.Wins(teams, 1, 5, 1, 0, 1)), sum.wins());
    one.retain(Set.of(A)::contains);
    assertEquals(List.of(), one.counts().agreements());
  }

  public void testNothingGrowsWithoutEnd() {
    ComparisonStats stats = new ComparisonStats();
    for (int i = 0; i < ComparisonStats.MAX_ENTRIES + 10; i++) {
      stats.clicked(ComparisonStats.Teams.of("a", "b" + i, ""), 1, 0);
    }
    stats.clicked(ComparisonStats.Teams.of("a", "b0", ""), 1, 0);
    List<ComparisonCounts.Wins> wins = stats.counts().wins();
    assertEquals(ComparisonStats.MAX_ENTRIES, wins.size());
    assertEquals(2, wins.getFirst().first());
  }

  public void testSignTestIsExact() {
    assertEquals(1, new SignTest(0, 0).probability(), 0);
    assertEquals(1, new SignTest(7, 7).probability(), 0);
    // 2 (1 + 10 + 45) / 1024, from the binomial coefficients.
    assertEquals(112.0 / 1024, new SignTest(8, 2).probability(), 1e-12);
    assertEquals(new SignTest(2, 8).probability(), new SignTest(8, 2).probability(), 0);
    // The same two sums, over the coefficients of 100 as exact integers.
    assertEquals(0.05688793364098078, new SignTest(60, 40).probability(), 1e-9);
    // Against erfc(sqrt(2)/sqrt(2)) of two standard deviations, by which the sum is close.
    assertEquals(0.0455, new SignTest(500_000 + 1_000, 500_000 - 1_000).probability(), 2e-4);
  }

  public void testIntervalHoldsTheShare() {
    assertArrayEquals(new double[] {0, 1}, new SignTest(0, 0).interval(), 0);
    // Wilson's bounds for 8 of 10, by hand.
    assertArrayEquals(new double[] {0.49016, 0.94332}, new SignTest(8, 2).interval(), 1e-5);
    assertEquals(1, new SignTest(5, 0).interval()[1], 1e-12);
  }
}
