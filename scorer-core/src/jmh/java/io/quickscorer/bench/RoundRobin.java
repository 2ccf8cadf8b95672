package io.quickscorer.bench;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.EnsembleShape;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times scorers against each other on a machine that is not quiet: all of them in one JVM, turn by
 * turn, in the thread's own CPU time, and of the turns the median. A disturbance then meets every
 * scorer, and ratios within one run can be trusted where single figures cannot.
 */
@Command(
    name = "RoundRobin",
    mixinStandardHelpOptions = true,
    description = "Times all scorers on models that LightGBM trains first.")
public final class RoundRobin implements Runnable {
  /** A turn repeats a scorer for at least this long. */
  private static final long TURN_NANOS = 5_000_000;

  @Option(names = "--trees", split = ",", description = "trees per model (default: 1000)")
  private int[] trees = {1000};

  @Option(names = "--leaves", split = ",", description = "leaves per tree (default: 32,64)")
  private int[] leaves = {32, 64};

  @Option(names = "--documents", split = ",", description = "documents per call (default: 1000)")
  private int[] documents = {1000};

  @Option(names = "--engines", split = ",", description = "default: all that fit")
  private List<String> engines = new ArrayList<>();

  @Option(names = "--warmup", description = "seconds per scorer (default: 2)")
  private double warmup = 2;

  @Option(names = "--rounds", description = "turns per scorer (default: 41)")
  private int rounds = 41;

  @Option(names = "--no-peers", description = "leaves LightGBM's predictor out")
  private boolean noPeers;

  @Option(names = "--json", description = "also writes the rows to this file")
  private Path json = Path.of("target", "bench", "round-robin.json");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<String> rows = new ArrayList<>();

  public static void main(String[] args) {
    System.exit(new CommandLine(new RoundRobin()).execute(args));
  }

  @Override
  public void run() {
    for (int t : trees) {
      for (int l : leaves) {
        TrainedModel model = TrainedModel.of(t, l);
        for (int n : documents) {
          compare(model, n);
        }
      }
    }
    try {
      Files.createDirectories(json.toAbsolutePath().getParent());
      Files.writeString(json, "[\n" + String.join(",\n", rows) + "\n]\n");
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + json, e);
    }
  }

  private void compare(TrainedModel model, int documents) {
    float[] values = TrainedModel.rows(documents);
    List<Contender> contenders = contenders(model, values);
    for (Contender contender : contenders) {
      long end = System.nanoTime() + (long) (warmup * 1e9);
      while (System.nanoTime() < end) {
        contender.score();
      }
    }
    double[][] times = new double[contenders.size()][rounds];
    double[] allocated = new double[contenders.size()];
    for (int round = 0; round < rounds; round++) {
      for (int c = 0; c < times.length; c++) {
        times[c][round] = turn(contenders.get(c), documents, allocated, c);
      }
    }
    report(model.ensemble().shape(), documents, contenders, times, allocated);
  }

  private List<Contender> contenders(TrainedModel model, float[] values) {
    List<Contender> contenders = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      boolean wanted = engines.isEmpty() || engines.contains(algorithm.label());
      if (wanted) {
        try {
          contenders.add(Contender.ours(algorithm, model, values));
        } catch (UnsupportedEnsembleException e) {
          System.err.println("left out: " + e.getMessage());
        }
      }
    }
    if (!noPeers) {
      contenders.add(Contender.lightGbm(model, values));
    }
    return contenders;
  }

  /** Nanoseconds of CPU per document of one turn; notes the bytes allocated per document. */
  private double turn(Contender contender, int documents, double[] allocated, int c) {
    long thread = Thread.currentThread().threadId();
    long bytes = threads.getThreadAllocatedBytes(thread);
    long start = threads.getCurrentThreadCpuTime();
    long elapsed;
    int calls = 0;
    do {
      contender.score();
      calls++;
      elapsed = threads.getCurrentThreadCpuTime() - start;
    } while (elapsed < TURN_NANOS);
    double scored = (double) calls * documents;
    allocated[c] = (threads.getThreadAllocatedBytes(thread) - bytes) / scored;
    return elapsed / scored;
  }

  private void report(
      EnsembleShape shape,
      int documents,
      List<Contender> contenders,
      double[][] times,
      double[] allocated) {
    System.out.printf(
        Locale.ROOT,
        "%n%d trees, at most %d leaves, %d features, %d documents; median of %d turns%n",
        shape.trees(),
        shape.maxLeaves(),
        shape.features(),
        documents,
        rounds);
    System.out.printf(
        "%-10s %12s %12s %10s %10s %8s%n",
        "scorer", "ns/doc/tree", "p10..p90", "bytes/tree", "alloc/doc", "x qs");
    double qs = Double.NaN;
    for (int c = 0; c < times.length; c++) {
      Arrays.sort(times[c]);
      if (contenders.get(c).name().equals(Algorithm.QS.label())) {
        qs = times[c][rounds / 2];
      }
    }
    for (int c = 0; c < times.length; c++) {
      Contender contender = contenders.get(c);
      double median = times[c][rounds / 2] / shape.trees();
      double low = times[c][rounds / 10] / shape.trees();
      double high = times[c][rounds - 1 - rounds / 10] / shape.trees();
      double bytesPerTree = (double) contender.bytes() / shape.trees();
      System.out.printf(
          Locale.ROOT,
          "%-10s %12.2f %5.2f..%5.2f %10.0f %10.1f %8.2f%n",
          contender.name(),
          median,
          low,
          high,
          bytesPerTree,
          allocated[c],
          qs / shape.trees() / median);
      rows.add(
          String.format(
              Locale.ROOT,
              "  {\"engine\": \"%s\", \"docs\": %d, \"trees\": %d, \"leaves\": %d, \"features\":"
                  + " %d, \"threads\": 1, \"ns_per_doc_tree\": %.3f, \"spread\": [%.3f, %.3f],"
                  + " \"bytes_per_tree\": %.0f, \"alloc_bytes_per_doc\": %.1f}",
              contender.name(),
              documents,
              shape.trees(),
              shape.maxLeaves(),
              shape.features(),
              median,
              low,
              high,
              bytesPerTree,
              allocated[c]));
    }
  }
}
