// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Random ensembles of all kinds on a device, by every kernel, as graphs and in pieces, and by every
 * engine of the CPU: all give the reference's bits.
 */
final class Comparison {
  /** Documents of a large batch; small ones are launched as graphs. */
  private static final int LARGE = 20_000;

  private static final int SMALL = 300;

  /** Calls of a small batch: the third one and later ones are graphs. */
  private static final int CALLS = 4;

  /** Between two lines with the numbers so far; a run that is cut off leaves the last one. */
  private static final long REPORT_NANOS = 5_000_000_000L;

  private final GpuDevice device;
  private final Results results;
  private final long scores;
  private final AtomicLong compared = new AtomicLong();
  private final LongAdder different = new LongAdder();
  private final Map<String, LongAdder> byKernel = new ConcurrentSkipListMap<>();
  private final AtomicLong nextReport = new AtomicLong(System.nanoTime());

  Comparison(GpuDevice device, Results results, long scores) {
    this.device = device;
    this.results = results;
    this.scores = scores;
  }

  /** Returns how many scores differ. */
  long run(long seed, int threads) throws InterruptedException, ExecutionException {
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int worker = 0; worker < threads; worker++) {
        SplittableRandom random = new SplittableRandom(seed * 31 + worker);
        workers.add(
            pool.submit(
                () -> {
                  while (compared.get() < scores) {
                    compareOne(random);
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    }
    byKernel.forEach(
        (kernel, count) -> results.add("compared", Map.of("by", kernel, "scores", count.sum())));
    reportAll();
    return different.sum();
  }

  private void report() {
    long now = System.nanoTime();
    long due = nextReport.get();
    if (now - due >= 0 && nextReport.compareAndSet(due, now + REPORT_NANOS)) {
      reportAll();
    }
  }

  private void reportAll() {
    results.add("compare", Map.of("scores", compared.get(), "different", different.sum()));
  }

  private void compareOne(SplittableRandom random) {
    RandomEnsembles recipe =
        RandomEnsembles.of(random)
            .trees(1 + random.nextInt(random.nextInt(8) == 0 ? 700 : 12))
            .leaves(1, random.nextInt(8) == 0 ? 1024 : 1 + random.nextInt(64))
            .features(1 + random.nextInt(20))
            .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE);
    recipe = random.nextInt(3) == 0 ? recipe.floatLeaves() : recipe;
    recipe = random.nextInt(4) == 0 ? recipe.oblivious() : recipe;
    TreeEnsemble ensemble = (random.nextInt(3) == 0 ? recipe.categorical() : recipe).build();
    try {
      compare(ensemble, random);
    } catch (UnsupportedEnsembleException e) {
      // Too many categories for the device: the next one.
      byKernel.computeIfAbsent("unsupported", k -> new LongAdder()).increment();
    }
  }

  private void compare(TreeEnsemble ensemble, SplittableRandom random) {
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    String[] kernel = {""};
    try (GpuQuickScorer quick = DeviceScorers.quick(ensemble, device);
        GpuTraversalScorer traversal =
            GpuTraversalScorer.compile(
                ensemble,
                device,
                (d, work) -> {
                  WalkPlan plan = anyPlan(d, work, random);
                  kernel[0] = plan.kernel() + (plan.split() ? " split" : "");
                  return plan;
                },
                CompileProgress.NONE)) {
      for (int call = 0; call < CALLS; call++) {
        int documents = (int) Math.min(scores, SMALL - random.nextInt(20));
        FeatureMatrix matrix = Values.documents(random, ensemble, documents);
        double[] expected = score(reference, matrix);
        check(expected, quick, matrix, "gpu-qs " + (call < 2 ? "in pieces" : "as a graph"));
        double[] found = score(traversal, matrix);
        count(expected, found, kernel[0] + (call < 2 ? "" : ", as a graph"));
        if (call == 0) {
          others(ensemble, matrix, expected);
        }
      }
      if (scores > LARGE) {
        FeatureMatrix matrix = Values.documents(random, ensemble, LARGE);
        double[] expected = score(reference, matrix);
        check(expected, quick, matrix, "gpu-qs in pieces");
        double[] found = score(traversal, matrix);
        count(expected, found, kernel[0]);
      }
    }
  }

  /** One of the plans for a device with as much shared memory as this one, or less. */
  private WalkPlan anyPlan(GpuDevice on, WalkPlan.Work work, SplittableRandom random) {
    DeviceShape shape = on.shape();
    int shared = shape.sharedBytesPerBlock() >> random.nextInt(4);
    DeviceShape smaller =
        new DeviceShape(
            shape.multiprocessors(),
            shape.threads(),
            shape.blocks(),
            shape.sharedBytes(),
            shared,
            shape.l2Bytes(),
            shape.capability());
    List<WalkPlan> plans = WalkPlan.candidates(smaller, work, on.batchBytes());
    return plans.get(random.nextInt(plans.size()));
  }

  private void others(TreeEnsemble ensemble, FeatureMatrix matrix, double[] expected) {
    for (Algorithm algorithm : Engines.names()) {
      try {
        EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
        check(expected, scorer, matrix, "engine " + algorithm);
        scorer.close();
      } catch (UnsupportedEnsembleException e) {
        // Not of this engine's kind.
        byKernel.computeIfAbsent("engine " + algorithm, k -> new LongAdder());
      }
    }
  }

  private void check(
      double[] expected, EnsembleScorer scorer, FeatureMatrix matrix, String kernel) {
    count(expected, score(scorer, matrix), kernel);
  }

  private void count(double[] expected, double[] found, String kernel) {
    int unequal = Measure.unequal(expected, found);
    if (unequal > 0) {
      results.add("differs", Map.of("by", kernel, "scores", unequal));
    }
    different.add(unequal);
    compared.addAndGet(found.length);
    byKernel.computeIfAbsent(kernel, k -> new LongAdder()).add(found.length);
    report();
  }

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }
}
