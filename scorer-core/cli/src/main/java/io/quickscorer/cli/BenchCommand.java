// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import io.quickscorer.bench.Batches;
import io.quickscorer.bench.Contender;
import io.quickscorer.bench.EngineComparison;
import io.quickscorer.bench.Peer;
import io.quickscorer.bench.Peers;
import io.quickscorer.bench.Rounds;
import io.quickscorer.bench.Row;
import io.quickscorer.cli.input.DataOptions;
import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.input.Inputs;
import io.quickscorer.cli.input.ModelArgument;
import io.quickscorer.cli.input.Rows;
import io.quickscorer.compile.Engines;
import io.quickscorer.compile.SampleDocuments;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code quickscorer bench}: times the engines on one model. */
@Command(
    name = "bench",
    description = {
      "Times all engines that support MODEL, in turns in one process. Prints nanoseconds per"
          + " document and tree: the median and the range of the middle 80 %% of the turns. Before"
          + " that, each engine's scores are compared with the reference's, bit by bit.",
      "",
      "With one thread, times are CPU times; with several, they are wall-clock times. This"
          + " library's engines are timed with a matrix of columns and with row-major floats. An"
          + " engine with several plans (orders of its work) is also timed with the best one"
          + " found.",
      "",
      "Without DATA, documents are generated from the model's thresholds. " + Inputs.DATA
    },
    mixinStandardHelpOptions = true)
final class BenchCommand implements Callable<Integer> {
  private static final int POOL = 10_000;

  /** Maximum number of feature values of all documents together. */
  private static final int MAX_VALUES = 1 << 26;

  private static final int MAX_DOCUMENTS = 100_000;
  private static final int MAX_THREADS = 256;
  private static final long TURN_NANOS = 5_000_000;
  private static final int BAR_MILLIS = 200;

  @Mixin private ModelArgument model = new ModelArgument();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DATA",
      description = "File of documents, may be gzipped; repeated if it has too few.")
  private @Nullable Path data;

  @Mixin private DataOptions options = new DataOptions();

  @Option(
      names = "--docs",
      split = ",",
      paramLabel = "N",
      description = "Documents per call; 1000 by default.")
  private int[] documents = {1000};

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      description = "Engines to time; all by default.")
  private @Nullable List<String> engines;

  @Option(
      names = "--threads",
      split = ",",
      paramLabel = "N",
      description = "Threads per call; 1 by default. Other libraries always use one.")
  private int[] threads = {1};

  @Option(
      names = "--peers",
      description =
          "Also times other libraries: those that \"mvn -Ppeers package -DskipTests\" has"
              + " put into target/peers.")
  private boolean peers;

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description = "Warm-up time of each engine before it is timed; 1 by default.")
  private double warmUp = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Turns of each engine; 21 by default.")
  private int rounds = 21;

  @Option(names = "--json", description = "Prints a JSON array of objects instead of a table.")
  private boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Also writes the results to FILE, as an HTML page with plots.")
  private @Nullable Path report;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    check("--docs", documents, MAX_DOCUMENTS);
    check("--threads", threads, MAX_THREADS);
    check("--rounds", new int[] {rounds}, 1000);
    if (!(warmUp >= 0 && warmUp <= 600)) {
      throw Failure.usage("--warmup: " + warmUp + ", expected 0 to 600 seconds");
    }
    // Checked before the measurement, which can take an hour.
    if (report != null && !Files.isWritable(report.toAbsolutePath().getParent())) {
      throw Failure.usage(report + ": cannot be written: no such folder, or permission denied");
    }
    options.check();
    Set<Algorithm> algorithms = algorithms();
    TreeEnsemble ensemble = model.read();
    if (ensemble.linear() != null) {
      throw model.unfit("the model is linear, expected a model with trees");
    }
    float[] pool = pool(ensemble);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Set<String> leftOut = new LinkedHashSet<>();
    List<Peer> found = peers(leftOut);
    List<Row> rows = new ArrayList<>();
    try (ExecutorService helpers = Executors.newCachedThreadPool()) {
      EngineComparison comparison =
          new EngineComparison(ensemble, model.bytes(), helpers, leftOut::add);
      for (int n : documents) {
        Batches batches = Batches.of(ensemble, pool, n);
        rows.addAll(compare(comparison, algorithms, found, batches));
      }
    } catch (IllegalStateException e) {
      throw model.unfit(String.valueOf(e.getMessage()));
    }
    leftOut.forEach(reason -> err.println("left out: " + reason));
    if (rows.isEmpty()) {
      throw model.unfit("every engine was left out");
    }
    out.print(json ? Row.toJson(rows) : BenchTable.of(rows));
    out.flush();
    if (report != null) {
      try {
        BenchPage.write(model.file(), rows, report);
      } catch (IOException e) {
        throw Failure.unwritable(report, e);
      }
    }
    return 0;
  }

  private static void check(String option, int[] values, int max) throws Failure {
    for (int value : values) {
      if (value < 1 || value > max) {
        throw Failure.usage(option + ": " + value + ", expected 1 to " + max);
      }
    }
  }

  private Set<Algorithm> algorithms() throws Failure {
    Set<Algorithm> algorithms = new LinkedHashSet<>();
    try {
      if (engines == null) {
        algorithms.addAll(Engines.names());
      } else {
        engines.forEach(name -> algorithms.add(Engines.named(name)));
      }
      return algorithms;
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--engines: " + e.getMessage());
    }
  }

  private float[] pool(TreeEnsemble ensemble) throws Failure {
    int features = ensemble.featureNames().size();
    int max = Math.clamp(MAX_VALUES / Math.max(1, features), 1, POOL);
    float[] pool = new float[max * features];
    if (data == null) {
      FeatureMatrix made = SampleDocuments.plain(ensemble, max);
      for (int i = 0; i < pool.length; i++) {
        pool[i] = made.get(i / features, i % features);
      }
      return pool;
    }
    int documents = 0;
    try (Rows rows = options.open(data, ensemble, model.hasCategories())) {
      float[] row;
      while (documents < max && (row = rows.next()) != null) {
        System.arraycopy(row, 0, pool, documents++ * features, features);
      }
    } catch (IOException e) {
      throw Failure.io(data, e);
    }
    if (documents == 0) {
      throw Failure.data(1, "no documents").in(data);
    }
    return Arrays.copyOf(pool, documents * features);
  }

  private List<Peer> peers(Set<String> leftOut) {
    if (!peers) {
      return List.of();
    }
    if (model.isOneOutput()) {
      leftOut.add("other libraries: they score all outputs of the model, not one");
      return List.of();
    }
    Peers found = Peers.in(Path.of(System.getProperty("quickscorer.peers", "target/peers")));
    for (String name : found.missed()) {
      leftOut.add(name + ": its library is missing; run: mvn -Ppeers package -DskipTests");
    }
    return found.found();
  }

  private List<Row> compare(
      EngineComparison comparison, Set<Algorithm> algorithms, List<Peer> found, Batches batches) {
    List<Contender> contenders = new ArrayList<>();
    try (ProgressBar bar = bar(batches.documents() + " documents", algorithms.size())) {
      for (Algorithm algorithm : algorithms) {
        bar.setExtraMessage("compiling " + algorithm).step();
        for (int t : threads) {
          if (t == 1) {
            contenders.addAll(comparison.engine(algorithm, batches));
            contenders.addAll(comparison.planned(algorithm, batches));
          } else {
            contenders.addAll(comparison.onThreads(algorithm, t, batches));
          }
        }
      }
      for (Peer peer : found) {
        contenders.addAll(comparison.peer(peer, batches));
      }
      Rounds timed = new Rounds(rounds, (long) (warmUp * 1e9), TURN_NANOS);
      bar.maxHint(bar.getMax() + timed.steps(contenders.size()));
      return comparison.time(contenders, batches, timed, what -> bar.setExtraMessage(what).step());
    } finally {
      contenders.forEach(Contender::close);
    }
  }

  /** Returns a progress bar on standard error. Without a terminal, it shows nothing. */
  private static ProgressBar bar(String task, int steps) {
    Console console = System.console();
    boolean terminal = console != null && console.isTerminal();
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setUpdateIntervalMillis(terminal ? BAR_MILLIS : Integer.MAX_VALUE)
            .setStyle(ProgressBarStyle.ASCII)
            .clearDisplayOnFinish();
    if (!terminal) {
      bar.setConsumer(new DelegatingProgressBarConsumer(line -> {}, 100));
    }
    return bar.build();
  }
}
