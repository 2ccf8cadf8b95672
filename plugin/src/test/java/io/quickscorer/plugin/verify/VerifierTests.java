// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.verify;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.LinearTerms;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ModelSource;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.VerifyStats;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Values;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

public class VerifierTests extends OpenSearchTestCase {
  private static final int QUEUE = 4;
  private static final double NEXT_TO_NOTHING = Double.MIN_VALUE;

  private final SplittableRandom random = new SplittableRandom(randomLong());
  private final CircuitBreaker breaker = TestModels.breaker(1 << 26);
  private final VerifyStats stats = new VerifyStats();
  private final ExecutorService executor =
      OpenSearchExecutors.newFixed(
          "verify",
          1,
          QUEUE,
          OpenSearchExecutors.daemonThreadFactory("verify"),
          new ThreadContext(Settings.EMPTY));
  private TestModels models;
  private Verifier verifier;

  @Before
  public void start() throws Exception {
    try (XContentParser parser =
        createParser(JsonXContent.jsonXContent, MarkedModels.FEATURE_SET)) {
      models = new TestModels(FeatureSet.read("fs", Door.within(parser)));
    }
    verifier = verifier(breaker, 1);
  }

  private Verifier verifier(CircuitBreaker charged, double share) {
    return new Verifier(models, new ModelBreaker(charged), stats, executor, share);
  }

  @After
  public void nothingIsHeld() {
    verifier.close();
    terminate(executor);
    assertEquals(0, models.uses.get());
    assertEquals(0, breaker.getUsed());
    assertEquals(0, stats.counts().all().of(Measure.Verify.FAILURES));
  }

  /** Scores documents as a search does. */
  private void score(ModelId id, EnsembleScorer scorer, int documents) {
    FeatureMatrix matrix = Values.documents(random, scorer.ensemble(), documents);
    // A search may have used longer arrays before.
    double[] scores = new double[documents + random.nextInt(3)];
    Scratch scratch = scorer.newScratch();
    scorer.score(matrix, scratch, scores);
    verifier.offer(id, scorer, scratch, matrix, scores);
  }

  /** Runs everything that waits. */
  private void runAll() throws Exception {
    executor.submit(() -> {}).get(60, TimeUnit.SECONDS);
  }

  private TreeEnsemble ensemble() {
    return RandomEnsembles.of(random).trees(1 + random.nextInt(40)).leaves(1, 80).build();
  }

  /** The only thread is busy until the latch is counted down. */
  private CountDownLatch occupy() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    executor.execute(
        () -> {
          begun.countDown();
          try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    assertTrue(begun.await(60, TimeUnit.SECONDS));
    return latch;
  }

  private static Algorithm engine(EnsembleScorer scorer, int documents) {
    Scratch scratch = scorer.newScratch();
    scorer.score(SampleDocuments.of(scorer.ensemble(), documents), scratch, new double[documents]);
    Algorithm last = scratch.lastEngine();
    return last == null ? scorer.algorithm() : last;
  }

  public void testEveryWindowOfTheShareIsVerifiedAndRight() throws Exception {
    List<Algorithm> engines =
        List.of(Algorithm.AUTO, Algorithm.OBJECT, Engines.named("struct"), Algorithm.BIT_SLICED);
    int windows = 0;
    long documents = 0;
    for (int m = 0; m < 30; m++) {
      EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), randomFrom(engines));
      ModelId id = models.add("m" + m, scorer);
      for (int size : new int[] {1, 3, 64, 65, 200, 1024}) {
        score(id, scorer, size);
        runAll();
        windows++;
        documents += size;
      }
      assertEquals(Set.of(), models.quarantined(id));
      assertEquals(6, stats.counts().of(id).of(Measure.Verify.WINDOWS));
    }
    VerifyStats.Counts counts = stats.counts();
    Map<Measure.Verify, Long> expected = new EnumMap<>(Measure.Verify.class);
    for (Measure.Verify measure : Measure.Verify.values()) {
      expected.put(measure, 0L);
    }
    expected.put(Measure.Verify.WINDOWS, (long) windows);
    expected.put(Measure.Verify.DOCUMENTS, documents);
    assertEquals(expected, counts.all().counts());
    assertTrue(counts.nanos() > 0);
    assertEquals(
        counts,
        copyWriteable(counts, writableRegistry(), WireRecord.reader(VerifyStats.Counts.class)));
  }

  public void testAFlippedBitIsFoundInTheFirstWindows() throws Exception {
    EnsembleScorer right = ScorerCompiler.compile(ensemble(), Algorithm.AUTO);
    Algorithm engine = engine(right, 100);
    EnsembleScorer wrong = new DefectiveScorer(right, null, engine::equals, 99, random.nextInt(52));
    ModelId id = models.add("m", wrong);
    verifier.setShare(NEXT_TO_NOTHING);
    for (int i = 0; i < 10; i++) {
      score(id, wrong, 100);
      runAll();
    }
    assertEquals(Set.of(engine), models.quarantined(id));
    assertEquals(
        Map.of(
            Measure.Verify.WINDOWS,
            (long) Verifier.FIRST,
            Measure.Verify.DOCUMENTS,
            100L * Verifier.FIRST,
            Measure.Verify.MISMATCHES,
            (long) Verifier.FIRST),
        stats.counts().of(id).counts());
    assertEquals(0, stats.counts().all().of(Measure.Verify.REFERENCE_DISAGREEMENTS));
  }

  public void testADefectThatShowsLaterIsFoundByTheShare() throws Exception {
    EnsembleScorer right = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    Algorithm engine = engine(right, 64);
    ModelId id = models.add("m", right);
    verifier.setShare(0.5);
    for (int i = 0; i < 20; i++) {
      score(id, right, 64);
      runAll();
    }
    assertEquals(Set.of(), models.quarantined(id));
    EnsembleScorer wrong = new DefectiveScorer(right, null, engine::equals, 0, 0);
    for (int i = 0; i < 100; i++) {
      score(id, wrong, 64);
      runAll();
    }
    assertEquals(Set.of(engine), models.quarantined(id));
  }

  public void testADeviceIsAnEngineToo() throws Exception {
    EnsembleScorer wrong =
        new DefectiveScorer(
            ScorerCompiler.compile(ensemble(), Algorithm.CPU),
            Algorithm.GPU,
            Algorithm.GPU::equals,
            5,
            1);
    ModelId id = models.add("m", wrong);
    score(id, wrong, 30);
    runAll();
    assertEquals(Set.of(Algorithm.GPU), models.quarantined(id));
  }

  public void testTheReferenceItselfCanBeWrong() throws Exception {
    EnsembleScorer wrong =
        new DefectiveScorer(
            ScorerCompiler.compile(ensemble(), Algorithm.OBJECT), null, engine -> true, 5, 1);
    ModelId id = models.add("m", wrong);
    score(id, wrong, 30);
    runAll();
    assertEquals(Set.of(Algorithm.OBJECT), models.quarantined(id));
  }

  /** Ensembles that few engines take: the flipped bit is found, and nothing else is wrong. */
  public void testLinearModelsAndBagsOfTrees() throws Exception {
    TreeEnsemble drawn = RandomEnsembles.of(random).features(4).trees(12).build();
    List<String> names = drawn.featureNames();
    List<TreeEnsemble> ensembles =
        List.of(
            TreeEnsemble.builder(names, new ModelSource(new ModelFormat("test"), "", ""))
                .linear(LinearTerms.of(new int[] {1, 0}, new double[] {0.3, -2}))
                .build(),
            TreeEnsemble.builder(names, new ModelSource(new ModelFormat("test"), "", ""))
                .trees(drawn.trees())
                .treesPerBag(5, 7)
                .build());
    for (TreeEnsemble ensemble : ensembles) {
      EnsembleScorer right = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
      ModelId id = models.add("right" + right.algorithm(), right);
      score(id, right, 70);
      runAll();
      assertEquals(Set.of(), models.quarantined(id));
      for (EnsembleScorer each :
          List.of(right, ScorerCompiler.compile(ensemble, Algorithm.OBJECT))) {
        EnsembleScorer wrong = new DefectiveScorer(each, null, engine -> true, 69, 3);
        ModelId wrongId = models.add(right.algorithm() + " " + each.algorithm(), wrong);
        score(wrongId, wrong, 70);
        runAll();
        assertEquals(Set.of(each.algorithm()), models.quarantined(wrongId));
      }
      EnsembleScorer next =
          ScorerCompiler.compile(
              ensemble, Algorithm.AUTO, Set.of(right.algorithm()), CompileProgress.NONE);
      assertEquals(Algorithm.OBJECT, next.algorithm());
    }
    assertEquals(0, stats.counts().all().of(Measure.Verify.REFERENCE_DISAGREEMENTS));
  }

  public void testOfTheFirstWindowsSomeAreTakenOfEachEngine() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    Map<Algorithm, Integer> sizes = new LinkedHashMap<>();
    for (int documents = 1; documents <= 100; documents++) {
      sizes.putIfAbsent(engine(scorer, documents), documents);
    }
    int engines = sizes.size();
    verifier.setShare(NEXT_TO_NOTHING);
    for (int round = 0; round < Verifier.FIRST + 2; round++) {
      for (int documents : sizes.values()) {
        score(id, scorer, documents);
        runAll();
      }
    }
    assertEquals(engines * Verifier.FIRST, stats.counts().all().of(Measure.Verify.WINDOWS));
    verifier.forgetDropped();
    score(id, scorer, 1);
    runAll();
    assertEquals(
        "still there", engines * Verifier.FIRST, stats.counts().all().of(Measure.Verify.WINDOWS));
    models.drop(id);
    verifier.forgetDropped();
    assertEquals(0, stats.counts().models().size());
    models.add("m", scorer);
    score(id, scorer, 1);
    runAll();
    assertEquals(
        "loaded anew",
        engines * Verifier.FIRST + 1,
        stats.counts().all().of(Measure.Verify.WINDOWS));
  }

  public void testAShareOfNothingIsNothing() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    verifier.setShare(0);
    score(id, scorer, 10);
    runAll();
    assertEquals(0, stats.counts().all().of(Measure.Verify.WINDOWS));
    verifier.setShare(1);
    score(id, scorer, 10);
    score(id, scorer, 0);
    runAll();
    assertEquals(1, stats.counts().all().of(Measure.Verify.WINDOWS));
  }

  public void testWhatDoesNotFitTheQueueIsDropped() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    CountDownLatch latch = occupy();
    for (int i = 0; i < QUEUE + 7; i++) {
      score(id, scorer, 20);
    }
    assertEquals(7, stats.counts().all().of(Measure.Verify.DROPPED_QUEUE));
    assertTrue(breaker.getUsed() > 0);
    latch.countDown();
    // Nothing can be put behind what waits while the queue is full.
    assertBusy(
        () -> assertEquals(QUEUE, stats.counts().all().of(Measure.Verify.WINDOWS)),
        60,
        TimeUnit.SECONDS);
    runAll();
  }

  public void testWithoutMemoryNothingIsCopied() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    CircuitBreaker full = TestModels.breaker(100);
    verifier = verifier(full, 1);
    score(id, scorer, 20);
    runAll();
    assertEquals(1, stats.counts().all().of(Measure.Verify.DROPPED_MEMORY));
    // Enough for the sample, but not for the reference beside it.
    long sample = FeatureMatrix.cells(scorer.ensemble().featureNames().size(), 20) * 4 + 20 * 8;
    CircuitBreaker tight = TestModels.breaker(sample + 1);
    verifier = verifier(tight, 1);
    score(id, scorer, 20);
    runAll();
    assertEquals(2, stats.counts().all().of(Measure.Verify.DROPPED_MEMORY));
    assertEquals(0, stats.counts().all().of(Measure.Verify.WINDOWS));
    assertEquals(0, full.getUsed());
    assertEquals(0, tight.getUsed());
  }

  public void testAModelThatWentMeanwhile() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    CountDownLatch latch = occupy();
    score(id, scorer, 20);
    models.drop(id);
    verifier.forgetDropped();
    latch.countDown();
    runAll();
    assertEquals(1, stats.counts().all().of(Measure.Verify.DROPPED_MODEL));
    assertEquals(0, breaker.getUsed());
  }

  public void testWhatWaitsWhenTheNodeEnds() throws Exception {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    CountDownLatch latch = occupy();
    score(id, scorer, 20);
    verifier.close();
    score(id, scorer, 20);
    latch.countDown();
    runAll();
    assertEquals(1, stats.counts().all().of(Measure.Verify.DROPPED_MODEL));
    executor.shutdown();
    Verifier late = verifier(breaker, 1);
    verifier = late;
    score(id, scorer, 20);
    assertEquals(1, stats.counts().all().of(Measure.Verify.DROPPED_QUEUE));
  }

  public void testALargeWindowIsVerifiedInPart() throws Exception {
    EnsembleScorer scorer =
        ScorerCompiler.compile(
            RandomEnsembles.of(random).trees(1 << 11).leaves(1, 3).build(), Algorithm.CPU);
    ModelId id = models.add("m", scorer);
    score(id, scorer, 500);
    runAll();
    assertEquals(1 << 7, stats.counts().all().of(Measure.Verify.DOCUMENTS));
    assertEquals(0, stats.counts().all().of(Measure.Verify.MISMATCHES));
  }
}
