// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Values;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Correctness and speed on the device at hand: {@code bin/measure} runs it. First scores are
 * compared with the reference, bit by bit; then a table is printed over trees, leaves and
 * documents.
 */
final class Measure {
  /**
   * What is run.
   *
   * @param scores scores to compare
   * @param trees numbers of trees, and so on
   * @param memoryBytes array of the memory bandwidth measurement
   * @param seconds time a cell's measurement of one scorer takes about
   */
  record Scope(
      long scores,
      List<Integer> trees,
      List<Integer> leaves,
      List<Integer> documents,
      long memoryBytes,
      int sharedRounds,
      double seconds) {
    static final Scope FULL =
        new Scope(
            1_000_000_000L,
            List.of(1000, 5000, 10_000, 20_000),
            List.of(32, 64, 255),
            List.of(100, 1000, 10_000, 1_000_000),
            4L << 30,
            100_000,
            0.3);
  }

  private static final String HEADER =
      "trees leaves documents | gpu-qs gpu (kernels, ms) | in out (copies, ms) | gpu-qs gpu (calls,"
          + " ms), gpu without graphs | cpu 1 core, %d cores (ms) | gpu: ps per document and tree,"
          + " by shared memory at least, by memory at least | gpu-qs/gpu, cpu/gpu%n";

  private final GpuDevice device;
  private final Scope scope;
  private final PrintStream out;
  private final int cores = Runtime.getRuntime().availableProcessors();
  private long different;

  Measure(GpuDevice device, Scope scope, PrintStream out) {
    this.device = device;
    this.scope = scope;
    this.out = out;
  }

  /** Arguments: {@code scores=N}, {@code seed=S}, {@code table=false}; all are optional. */
  public static void main(String[] arguments) throws Exception {
    long scores = Scope.FULL.scores;
    long seed = System.nanoTime();
    boolean table = true;
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      switch (parts[0]) {
        case "scores" -> scores = (long) Double.parseDouble(parts[1]);
        case "seed" -> seed = Long.parseLong(parts[1]);
        case "table" -> table = Boolean.parseBoolean(parts[1]);
        default -> throw new IllegalArgumentException(argument);
      }
    }
    GpuRuntime runtime = GpuRuntime.get();
    if (!runtime.unavailable().isEmpty()) {
      System.out.println("nothing to measure: " + runtime.unavailable());
      System.exit(2);
    }
    Measure measure = new Measure(runtime.next(), Scope.FULL, System.out);
    System.out.printf(
        "device %s %s, seed %d%n", measure.device.name(), measure.device.shape(), seed);
    measure.compare(scores, seed);
    if (table) {
      measure.table(seed);
    }
    System.exit(measure.different == 0 ? 0 : 1);
  }

  /** Scores whose bits differ from the CPU's, so far. */
  long different() {
    return different;
  }

  /** Compares random ensembles of all kinds with the reference, on all cores. */
  void compare(long scores, long seed) throws InterruptedException, ExecutionException {
    AtomicLong compared = new AtomicLong();
    AtomicLong unequal = new AtomicLong();
    try (ExecutorService threads = Executors.newFixedThreadPool(cores)) {
      List<Future<?>> workers = new ArrayList<>();
      for (int worker = 0; worker < cores; worker++) {
        SplittableRandom random = new SplittableRandom(seed * 31 + worker);
        workers.add(
            threads.submit(
                () -> {
                  while (compared.get() < scores) {
                    compareOne(random, (int) Math.min(20_000, scores), compared, unequal);
                  }
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    }
    different += unequal.get();
    out.printf("compared %d scores with the reference, %d differ%n", compared.get(), unequal.get());
  }

  private void compareOne(
      SplittableRandom random, int documents, AtomicLong compared, AtomicLong unequal) {
    RandomEnsembles recipe =
        RandomEnsembles.of(random)
            .trees(1 + random.nextInt(12))
            .leaves(1, random.nextInt(8) == 0 ? 1024 : 1 + random.nextInt(64))
            .features(1 + random.nextInt(20))
            .accumulator(random.nextBoolean() ? Accumulator.FLOAT : Accumulator.DOUBLE);
    TreeEnsemble ensemble = (random.nextInt(3) == 0 ? recipe.categorical() : recipe).build();
    FeatureMatrix matrix = Values.documents(random, ensemble, documents);
    double[] expected = new double[documents];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(matrix, reference.newScratch(), expected);
    try (GpuQuickScorer quick = GpuQuickScorer.compile(ensemble, device);
        GpuTraversalScorer traversal = GpuTraversalScorer.compile(ensemble, device)) {
      for (DeviceScorer scorer : List.of(quick, traversal)) {
        double[] scores = new double[documents];
        scorer.score(matrix, scorer.newScratch(), scores);
        unequal.addAndGet(unequal(expected, scores));
        compared.addAndGet(documents);
      }
    }
  }

  private static int unequal(double[] expected, double[] scores) {
    int count = 0;
    for (int d = 0; d < expected.length; d++) {
      boolean same =
          Double.doubleToRawLongBits(expected[d]) == Double.doubleToRawLongBits(scores[d]);
      count += same ? 0 : 1;
    }
    return count;
  }

  void table(long seed) throws IOException, InterruptedException, ExecutionException {
    DeviceLimits limits = DeviceLimits.measure(device, scope.memoryBytes, scope.sharedRounds);
    out.printf(
        Locale.ROOT,
        "memory %.0f GB/s, shared memory %.0f GB/s, launch and wait %.1f us%n",
        limits.memoryBytesPerSecond() / 1e9,
        limits.sharedBytesPerSecond() / 1e9,
        limits.launchMicros());
    out.printf(HEADER, cores);
    for (int trees : scope.trees) {
      for (int leaves : scope.leaves) {
        TreeEnsemble ensemble = SyntheticModels.ensemble(trees, leaves, seed);
        EnsembleScorer cpu = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
        try (GpuQuickScorer quick = GpuQuickScorer.compile(ensemble, device);
            GpuTraversalScorer traversal = GpuTraversalScorer.compile(ensemble, device)) {
          for (int documents : scope.documents) {
            cell(limits, cpu, quick, traversal, SyntheticModels.documents(documents, seed));
          }
        }
      }
    }
    out.printf("differing scores in the table: %d%n", different);
  }

  private void cell(
      DeviceLimits limits,
      EnsembleScorer cpu,
      GpuQuickScorer quick,
      GpuTraversalScorer traversal,
      FeatureMatrix matrix)
      throws InterruptedException, ExecutionException {
    TreeEnsemble ensemble = cpu.ensemble();
    int documents = matrix.documents();
    double[] byQuick = new double[documents];
    double[] byTraversal = new double[documents];
    DeviceScorer.Timing quickTime = fastestTiming(quick, matrix, byQuick);
    DeviceScorer.Timing time = fastestTiming(traversal, matrix, byTraversal);
    different += unequal(byQuick, byTraversal) + checkSample(ensemble, matrix, byTraversal);
    double quickCall = fastest(r -> quick.score(matrix, quick.newScratch(), byQuick)) / 1e6;
    double call = fastest(r -> traversal.score(matrix, traversal.newScratch(), byTraversal)) / 1e6;
    device.capturing(false);
    double pieces =
        fastest(r -> traversal.score(matrix, traversal.newScratch(), byTraversal)) / 1e6;
    device.capturing(true);
    double oneCore = cpuMillis(cpu, matrix, 1);
    double allCores = cpuMillis(cpu, matrix, cores);
    double pairs = (double) documents * ensemble.trees().size();
    double steps = ensemble.trees().stream().mapToInt(t -> t.depth()).average().orElse(0);
    // Each step reads a node and a rank; each leaf value is staged and read again.
    double shared = (steps * 2 * Integer.BYTES + 2 * Double.BYTES) / limits.sharedBytesPerSecond();
    double memory =
        (3.0 * SyntheticModels.FEATURES * Float.BYTES * documents + traversal.bytes())
            / limits.memoryBytesPerSecond()
            / pairs;
    out.printf(
        Locale.ROOT,
        "%6d %4d %8d | %10.3f %9.3f | %8.3f %7.3f | %10.3f %9.3f %9.3f | %10.2f %9.2f"
            + " | %7.2f %6.2f %7.3f | %5.1f %6.1f%n",
        ensemble.trees().size(),
        ensemble.shape().maxLeaves(),
        documents,
        quickTime.kernels(),
        time.kernels(),
        time.copyIn(),
        time.copyOut(),
        quickCall,
        call,
        pieces,
        oneCore,
        allCores,
        time.kernels() * 1e9 / pairs,
        shared * 1e12,
        memory * 1e12,
        quickTime.kernels() / time.kernels(),
        allCores / call);
  }

  private static long checkSample(TreeEnsemble ensemble, FeatureMatrix matrix, double[] scores) {
    int count = Math.min(200, matrix.documents());
    FeatureMatrix sample = new FeatureMatrix(matrix.features(), count);
    double[] found = new double[count];
    for (int i = 0; i < count; i++) {
      int document = (int) ((long) i * matrix.documents() / count);
      found[i] = scores[document];
      for (int f = 0; f < matrix.features(); f++) {
        sample.set(i, f, matrix.get(document, f));
      }
    }
    double[] expected = new double[count];
    ReferenceScorer reference = ReferenceScorer.compile(ensemble);
    reference.score(sample, reference.newScratch(), expected);
    return unequal(expected, found);
  }

  private DeviceScorer.Timing fastestTiming(
      DeviceScorer scorer, FeatureMatrix matrix, double[] scores) {
    List<DeviceScorer.Timing> all = new ArrayList<>();
    fastest(r -> all.add(scorer.scoreTimed(matrix, scores)));
    return all.stream().min((a, b) -> Double.compare(a.kernels(), b.kernels())).orElseThrow();
  }

  /** Nanoseconds of the fastest of at least three runs. */
  private double fastest(IntConsumer run) {
    double least = Double.MAX_VALUE;
    double spent = 0;
    for (int r = 0; r < 3 || (spent < scope.seconds * 1e9 && r < 1000); r++) {
      long start = System.nanoTime();
      run.accept(r);
      double time = System.nanoTime() - start;
      least = Math.min(least, time);
      spent += time;
    }
    return least;
  }

  /**
   * Milliseconds on the CPU; batches too long for the time there is are scored in part, and scaled.
   */
  private double cpuMillis(EnsembleScorer cpu, FeatureMatrix matrix, int threads)
      throws InterruptedException, ExecutionException {
    int trees = cpu.ensemble().trees().size();
    long most = Math.max(1000, (long) (scope.seconds * 1e9 * threads / (4.0 * trees)));
    int documents = (int) Math.min(matrix.documents(), most);
    int share = (documents + threads - 1) / threads;
    List<FeatureMatrix> parts = new ArrayList<>();
    for (int from = 0; from < documents; from += share) {
      parts.add(part(matrix, from, Math.min(share, documents - from)));
    }
    List<Scratch> scratches = new ArrayList<>();
    parts.forEach(p -> scratches.add(cpu.newScratch()));
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      double nanos =
          fastest(
              r -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < parts.size(); i++) {
                  FeatureMatrix part = parts.get(i);
                  Scratch scratch = scratches.get(i);
                  running.add(
                      pool.submit(() -> cpu.score(part, scratch, new double[part.documents()])));
                }
                await(running);
              });
      return nanos / 1e6 * matrix.documents() / documents;
    }
  }

  private static void await(List<Future<?>> running) {
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static FeatureMatrix part(FeatureMatrix matrix, int from, int count) {
    FeatureMatrix part = new FeatureMatrix(matrix.features(), count);
    for (int f = 0; f < matrix.features(); f++) {
      System.arraycopy(
          matrix.values(), matrix.column(f) + from, part.values(), part.column(f), count);
    }
    return part;
  }
}
