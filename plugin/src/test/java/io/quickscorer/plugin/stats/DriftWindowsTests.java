// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.testing.TestModel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchTestCase;

public class DriftWindowsTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "v");
  private static final long LENGTH = 3_600_000;
  private static final int DOCUMENTS = 120;

  private final TreeEnsemble ensemble = TestModel.LIGHTGBM.ensemble();
  private final AtomicLong now = new AtomicLong(LENGTH);
  private final DriftWindows windows = new DriftWindows(now::get);

  /** Counts documents whose feature 0 has values from that one on, and all others 0. */
  private void observe(float from) {
    FeatureMatrix matrix = new FeatureMatrix(ensemble.featureNames().size(), DOCUMENTS);
    for (int i = 0; i < DOCUMENTS; i++) {
      for (int f = 1; f < matrix.features(); f++) {
        matrix.set(i, f, 0);
      }
      matrix.set(i, 0, from + i / (float) DOCUMENTS);
    }
    windows.observe(ID, () -> ensemble, matrix);
  }

  private double psi() {
    return windows.read(ID).getFirst().psi();
  }

  public void testIndexIsOfTheLastWindowAgainstThoseBefore() throws Exception {
    windows.follow(
        Settings.EMPTY,
        new ClusterSettings(Settings.EMPTY, Set.of(DriftWindows.LENGTH, DriftWindows.ALARM)));
    observe(0);
    assertEquals(Double.NaN, psi(), 0);
    now.addAndGet(LENGTH);
    observe(0);
    assertEquals("nothing before the last", Double.NaN, psi(), 0);
    now.addAndGet(LENGTH);
    assertEquals(0, psi(), 0);
    observe(1e6f);
    assertEquals("the window is not over", 0, psi(), 0);
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(DriftWindows.class))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "drift",
              DriftWindows.class.getName(),
              Level.WARN,
              ".*\\[m@v].*\\[" + Pattern.quote(ensemble.featureNames().getFirst()) + "].*"));
      now.addAndGet(LENGTH);
      assertTrue(psi() > 1);
      log.assertAllExpectationsMatched();
    }
    assertTrue(windows.isAlarming(psi()));
    assertEquals(Map.of(ID, new DriftWindows.Alarms(psi(), 1)), windows.alarms());
    assertEquals("other features stay", 0, windows.read(ID).get(1).psi(), 0);
    now.addAndGet(LENGTH);
    assertEquals("a window without values", Double.NaN, psi(), 0);
    assertEquals(Map.of(), windows.alarms());
    windows.retain(id -> false);
    assertTrue(windows.read(ID).isEmpty());
  }

  /** Trees split on them, and documents do not have them. */
  public void testDerivedColumnsHaveNoBins() {
    TreeEnsemble derived = TestModel.of("catboost-1.2.7", "ctrs_lossguide", "cbm").ensemble();
    int features = derived.featureNames().size();
    assertTrue(derived.columnNames().size() > features);
    windows.observe(ID, () -> derived, new FeatureMatrix(features, DOCUMENTS));
    assertEquals(features, windows.read(ID).size());
  }

  public void testIndex() {
    BinCounts counts = new BinCounts(new long[] {500, 500}, new long[] {300, 700});
    // (0.3 - 0.5) ln(0.3 / 0.5) + (0.7 - 0.5) ln(0.7 / 0.5)
    assertEquals(0.16946, counts.psi(), 1e-5);
    assertEquals(counts, BinCounts.NONE.and(counts));
    assertEquals(
        new BinCounts(new long[] {1_000, 1_000}, new long[] {600, 1_400}), counts.and(counts));
  }

  public void testBins() {
    float[] edges = {1, 2};
    assertEquals(4, FeatureBins.count(edges));
    assertEquals(0, FeatureBins.of(edges, 1));
    assertEquals(1, FeatureBins.of(edges, Math.nextUp(1f)));
    assertEquals(2, FeatureBins.of(edges, Float.POSITIVE_INFINITY));
    assertEquals(3, FeatureBins.of(edges, Float.NaN));
    for (float[] of : FeatureBins.edges(ensemble, ensemble.featureNames().size())) {
      assertTrue(of.length <= FeatureBins.MAX_EDGES);
      for (int e = 1; e < of.length; e++) {
        assertTrue(of[e - 1] < of[e]);
      }
    }
  }
}
