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
    one.drawn("live", "a");
    other.drawn("live", "a");
    ComparisonCounts sum = one.counts().and(other.counts());
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      sum.writeTo(out);
      assertEquals(sum, WireRecord.read(out.bytes().streamInput(), ComparisonCounts.class));
    }
    assertEquals(2L, (long) sum.draws().get("live").get("a"));
    assertEquals(List.of(new ComparisonCounts.Agreeing(A, B, "", 2, 1, 2, 1, 0)), sum.agreements());
    one.retain(Set.of(A)::contains);
    assertEquals(List.of(), one.counts().agreements());
  }

  public void testNothingGrowsWithoutEnd() {
    ComparisonStats stats = new ComparisonStats();
    for (int i = 0; i < ComparisonStats.MAX_ENTRIES + 10; i++) {
      stats.drawn("alias" + i, "a");
    }
    stats.drawn("alias0", "a");
    assertEquals(ComparisonStats.MAX_ENTRIES, stats.counts().draws().size());
    assertEquals(2L, (long) stats.counts().draws().get("alias0").get("a"));
    stats.retainNames(name -> !name.equals("alias0"));
    assertNull(stats.counts().draws().get("alias0"));
    assertEquals(1L, (long) stats.counts().draws().get("alias1").get("a"));
  }
}
