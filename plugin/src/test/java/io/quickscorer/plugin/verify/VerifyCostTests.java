// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.compile.WarmUp;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Values;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.indices.breaker.HierarchyCircuitBreakerService;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The processor time that verification takes, of the thread that searches and of the one that
 * verifies. A build scores a few windows and prints nothing that anybody should quote; {@code
 * -Dverify.windows=20000} makes figures of it.
 */
public class VerifyCostTests extends OpenSearchTestCase {
  private static final int WINDOWS = Integer.getInteger("verify.windows", 20);
  private static final int TREES = WINDOWS > 100 ? 1_000 : 20;
  private static final int FEATURES = 50;
  private static final int BATCHES = 8;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final SplittableRandom random = new SplittableRandom(randomLong());
  private final ThreadPoolExecutor executor =
      OpenSearchExecutors.newFixed(
          "verify",
          1,
          32,
          OpenSearchExecutors.daemonThreadFactory("verify"),
          new ThreadContext(Settings.EMPTY));

  public void testProcessorTimePerWindow() throws Exception {
    assumeTrue("this JVM tells no processor time", THREADS.isThreadCpuTimeSupported());
    TestModels models;
    try (XContentParser parser =
        createParser(JsonXContent.jsonXContent, MarkedModels.FEATURE_SET)) {
      models = new TestModels(FeatureSet.read("fs", Door.within(parser)));
    }
    TreeEnsemble ensemble =
        RandomEnsembles.of(random).trees(TREES).leaves(64, 64).features(FEATURES).build();
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
    new WarmUp().run(scorer, Budget.of(2_000_000_000L));
    ModelId id = models.add("m", scorer);
    for (int documents : new int[] {100, 1_000}) {
      for (double share : new double[] {0, 0, 0.001, 1}) {
        measure(models, id, scorer, documents, share);
      }
    }
    terminate(executor);
  }

  private void measure(
      TestModels models, ModelId id, EnsembleScorer scorer, int documents, double share)
      throws Exception {
    FeatureMatrix[] batches = new FeatureMatrix[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
      batches[b] = Values.documents(random, scorer.ensemble(), documents);
    }
    ModelBreaker breaker =
        new ModelBreaker(
            new HierarchyCircuitBreakerService(
                    Settings.EMPTY,
                    List.of(new BreakerSettings("models", 1L << 30, 1.0)),
                    new ClusterSettings(Settings.EMPTY, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS))
                .getBreaker("models"));
    VerifyStats stats = new VerifyStats();
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[documents];
    int windows = Math.max(2 * BATCHES, (int) (WINDOWS * 100L / documents));
    try (Verifier verifier = new Verifier(models, breaker, stats, executor, share)) {
      long thread = executor.submit(() -> Thread.currentThread().threadId()).get();
      long verifying = THREADS.getThreadCpuTime(thread);
      long searching = THREADS.getCurrentThreadCpuTime();
      for (int w = 0; w < windows; w++) {
        FeatureMatrix matrix = batches[w % BATCHES];
        scorer.score(matrix, scratch, scores);
        verifier.offer(id, scorer, scratch, matrix, scores);
      }
      searching = THREADS.getCurrentThreadCpuTime() - searching;
      // Only then is there room for one more, behind all others.
      assertBusy(() -> assertTrue(executor.getQueue().isEmpty()), 1, TimeUnit.MINUTES);
      executor.submit(() -> {}).get();
      verifying = THREADS.getThreadCpuTime(thread) - verifying;
      VerifyStats.Counts counts = stats.counts();
      assertEquals(0, counts.all().of(Measure.Verify.MISMATCHES));
      assertEquals(0, counts.all().of(Measure.Verify.FAILURES));
      assertEquals(share == 0, counts.all().of(Measure.Verify.WINDOWS) == 0);
      System.out.printf(
          Locale.ROOT,
          "verify cost: %d documents, share %s: search thread %.1f us a window, verifier %.1f us a"
              + " window, %.0f us a verified one; %d of %d windows verified, %d dropped%n",
          documents,
          share,
          searching / 1e3 / windows,
          verifying / 1e3 / windows,
          counts.all().of(Measure.Verify.WINDOWS) == 0
              ? 0
              : verifying / 1e3 / counts.all().of(Measure.Verify.WINDOWS),
          counts.all().of(Measure.Verify.WINDOWS),
          windows,
          counts.all().of(Measure.Verify.DROPPED_QUEUE));
    }
  }
}
