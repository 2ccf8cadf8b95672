// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Correctness and speed on the device at hand: {@code bin/measure} runs it. Each step writes its
 * results as lines of JSON; {@code docs/kernel-figures.md} has its tables from them.
 */
final class Measure {
  /**
   * What is run.
   *
   * @param scores scores to compare
   * @param trees numbers of trees, and so on
   * @param leaves of grown trees; a negative number is one of oblivious trees
   * @param memoryBytes array of the memory bandwidth measurement
   * @param sharedRounds of the shared memory measurement
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
            10_000_000L,
            List.of(100, 1000, 5000, 20_000),
            List.of(32, 64, 255, -64),
            List.of(1, 10, 100, 1000, 10_000, 100_000),
            4L << 30,
            100_000,
            0.1);

    /** With a list or number replaced; arguments look like {@code trees=100,1000}. */
    Scope with(String name, String value) {
      List<Integer> list = List.of();
      if (List.of("trees", "leaves", "documents").contains(name)) {
        list = List.of(value.split(",")).stream().map(Integer::valueOf).toList();
      }
      return new Scope(
          name.equals("scores") ? (long) Double.parseDouble(value) : scores,
          name.equals("trees") ? list : trees,
          name.equals("leaves") ? list : leaves,
          name.equals("documents") ? list : documents,
          memoryBytes,
          sharedRounds,
          name.equals("seconds") ? Double.parseDouble(value) : seconds);
    }
  }

  private final GpuDevice device;
  private final Scope scope;
  private final Results results;
  private final CpuTimes cpuTimes;
  private final int cores = Runtime.getRuntime().availableProcessors();
  private long different;

  /**
   * @param compiler of the CPU's scorers
   */
  Measure(
      GpuDevice device,
      Scope scope,
      Results results,
      BiFunction<TreeEnsemble, Algorithm, EnsembleScorer> compiler) {
    this.device = device;
    this.scope = scope;
    this.results = results;
    this.cpuTimes = new CpuTimes(compiler, scope.seconds);
  }

  /**
   * Arguments: a step, which is one of {@code compare}, {@code limits}, {@code plans}, {@code
   * table} and {@code forests}, then {@code seed=S} and fields of {@link Scope}, all optional. Exit
   * status: 0 when no score differs.
   */
  public static void main(String[] arguments) throws Exception {
    long seed = System.nanoTime();
    Scope scope = Scope.FULL;
    for (int i = 1; i < arguments.length; i++) {
      String[] parts = arguments[i].split("=", 2);
      if (parts[0].equals("seed")) {
        seed = Long.parseLong(parts[1]);
      } else {
        scope = scope.with(parts[0], parts[1]);
      }
    }
    GpuRuntime runtime = GpuRuntime.get();
    if (!runtime.unavailable().isEmpty()) {
      System.err.println("nothing to measure: " + runtime.unavailable());
      System.exit(2);
    }
    Measure measure =
        new Measure(runtime.next(), scope, new Results(System.out), ScorerCompiler::compile);
    measure.run(arguments[0], seed);
    System.exit(measure.different == 0 ? 0 : 1);
  }

  private void run(String step, long seed) throws Exception {
    results.add(
        "device",
        Map.of("name", device.name(), "shape", device.shape(), "cores", cores, "seed", seed));
    switch (step) {
      case "compare" -> compare(seed);
      case "limits" -> limits();
      case "forests" -> forests(Path.of(System.getProperty("java.io.tmpdir")), seed);
      case "plans" -> plans(seed);
      case "table" -> table(seed);
      default -> throw new IllegalArgumentException(step);
    }
  }

  /** Scores whose bits differ from the CPU's, so far. */
  long different() {
    return different;
  }

  /** Compares random ensembles of all kinds with the reference, on all cores. */
  void compare(long seed) throws InterruptedException, ExecutionException {
    Comparison comparison = new Comparison(device, results, scope.scores);
    different += comparison.run(seed, cores);
  }

  /** The bounds that kernels are held against. */
  void limits() throws IOException {
    DeviceLimits limits = DeviceLimits.measure(device, scope.memoryBytes, scope.sharedRounds);
    results.add(
        "limits",
        Map.of(
            "memoryGBs", limits.memoryBytesPerSecond() / 1e9,
            "sharedGBs", limits.sharedBytesPerSecond() / 1e9,
            "launchMicros", limits.launchMicros()));
  }

  /** Writes the models as files for other libraries. */
  void forests(Path folder, long seed) throws IOException {
    for (int trees : scope.trees) {
      for (int leaves : scope.leaves) {
        TreeEnsemble ensemble = ensemble(trees, leaves, seed);
        ForestFiles.write(folder, trees + "-" + leaves, ensemble, seed);
        results.add("forest", Map.of("trees", trees, "leaves", leaves));
      }
    }
  }

  private static TreeEnsemble ensemble(int trees, int leaves, long seed) {
    return leaves > 0
        ? SyntheticModels.ensemble(trees, leaves, seed)
        : SyntheticModels.oblivious(trees, -leaves, seed);
  }

  /** Times every candidate plan of the traversal beside what the model says of it. */
  void plans(long seed) {
    for (int trees : scope.trees) {
      for (int leaves : scope.leaves) {
        TreeEnsemble ensemble = ensemble(trees, leaves, seed);
        for (int documents : scope.documents) {
          plans(ensemble, documents, seed);
        }
      }
    }
  }

  private void plans(TreeEnsemble ensemble, int documents, long seed) {
    FeatureMatrix matrix = SyntheticModels.documents(documents, seed);
    double @Nullable [] expected = null;
    @Nullable WalkPlan[] next = new WalkPlan[1];
    try (GpuTraversalScorer scorer =
        GpuTraversalScorer.compile(
            ensemble,
            device,
            (d, work) -> next[0] == null ? WalkCosts.cheapest(d, work) : next[0],
            CompileProgress.NONE)) {
      WalkPlan chosen = scorer.plan(documents);
      WalkPlan.Work work = scorer.work(documents);
      WalkCosts costs = WalkCosts.of(device.shape());
      for (WalkPlan plan : WalkPlan.candidates(device.shape(), work, device.batchBytes())) {
        next[0] = plan;
        double[] scores = new double[documents];
        DeviceScorer.Timing time = fastestTiming(scorer, matrix, scores);
        expected = expected == null ? scores : expected;
        different += unequal(expected, scores);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("trees", ensemble.trees().size());
        fields.put("leaves", ensemble.shape().maxLeaves());
        fields.put("documents", documents);
        fields.put("tile", 1 << plan.tileShift());
        fields.put("threads", plan.threads());
        fields.put("runs", plan.gridY());
        fields.put("kernel", plan.kernel());
        fields.put("ms", time.kernels());
        fields.put("modelClocks", costs.clocks(device.shape(), plan, work));
        fields.put("chosen", plan.equals(chosen));
        fields.put("different", unequal(expected, scores));
        results.add("plan", fields);
      }
    }
  }

  /** Times both scorers and the CPU over trees, leaves and documents. */
  void table(long seed) {
    for (int trees : scope.trees) {
      for (int leaves : scope.leaves) {
        TreeEnsemble ensemble = ensemble(trees, leaves, seed);
        EnsembleScorer cpu = cpuTimes.compile(ensemble, Algorithm.CPU);
        EnsembleScorer quickOnCpu =
            cpuTimes.compile(
                ensemble, Engines.named(Math.abs(leaves) <= Long.SIZE ? "bwqs" : "qs-wide"));
        cpuTimes.warmUp(cpu, seed);
        cpuTimes.warmUp(quickOnCpu, seed);
        try (GpuQuickScorer quick = DeviceScorers.quick(ensemble, device);
            GpuTraversalScorer traversal =
                GpuTraversalScorer.compileTimed(ensemble, device, CompileProgress.NONE)) {
          for (int documents : scope.documents) {
            FeatureMatrix matrix = SyntheticModels.documents(documents, seed);
            Map<String, Object> cell = new LinkedHashMap<>();
            cell.put("trees", trees);
            cell.put("leaves", Math.abs(leaves));
            cell.put("oblivious", leaves < 0);
            cell.put("leafDepth", SyntheticModels.meanLeafDepth(ensemble));
            cell.put("documents", documents);
            double[] expected = new double[documents];
            cell.put("cpuEngine", cpu.engine());
            cell.put("cpuAllMs", cpuTimes.millis(cpu, matrix, cores, expected));
            cell.put("cpuOneMs", cpuTimes.millis(cpu, matrix, 1, null));
            cell.put("cpuQuickEngine", quickOnCpu.engine());
            cell.put("cpuQuickMs", cpuTimes.millis(quickOnCpu, matrix, 1, null));
            different += checkSample(ensemble, matrix, expected);
            onDevice("gpuQs", quick, matrix, expected, cell);
            onDevice("gpu", traversal, matrix, expected, cell);
            WalkPlan plan = traversal.plan(documents);
            cell.put(
                "plan",
                plan.kernel()
                    + " "
                    + (1 << plan.tileShift())
                    + "x"
                    + plan.groups()
                    + " runs "
                    + plan.gridY());
            cell.put("different", different);
            results.add("cell", cell);
          }
        }
        cpu.close();
        quickOnCpu.close();
      }
    }
  }

  /** Times a device's scorer in parts, as graphs and in pieces, and compares what each gives. */
  private void onDevice(
      String name,
      DeviceScorer scorer,
      FeatureMatrix matrix,
      double[] expected,
      Map<String, Object> cell) {
    double[] scores = new double[matrix.documents()];
    DeviceScorer.Timing time = fastestTiming(scorer, matrix, scores);
    different += unequal(expected, scores);
    cell.put(name + "KernelMs", time.kernels());
    cell.put(name + "CopyInMs", time.copyIn());
    cell.put(name + "CopyOutMs", time.copyOut());
    cell.put(name + "CallMs", callMillis(scorer, matrix, expected));
    device.capturing(false);
    cell.put(name + "PiecesMs", callMillis(scorer, matrix, expected));
    device.capturing(true);
  }

  private double callMillis(DeviceScorer scorer, FeatureMatrix matrix, double[] expected) {
    double[] scores = new double[matrix.documents()];
    double nanos =
        CpuTimes.fastest(scope.seconds, () -> scorer.score(matrix, scorer.newScratch(), scores));
    different += unequal(expected, scores);
    return nanos / 1e6;
  }

  static int unequal(double[] expected, double[] scores) {
    int count = 0;
    for (int d = 0; d < expected.length; d++) {
      boolean same =
          Double.doubleToRawLongBits(expected[d]) == Double.doubleToRawLongBits(scores[d]);
      count += same ? 0 : 1;
    }
    return count;
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
    CpuTimes.fastest(scope.seconds, () -> all.add(scorer.scoreTimed(matrix, scores)));
    return all.stream().min((a, b) -> Double.compare(a.kernels(), b.kernels())).orElseThrow();
  }
}
