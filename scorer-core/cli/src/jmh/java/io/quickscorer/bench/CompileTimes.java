// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import com.sun.management.OperatingSystemMXBean;
import io.quickscorer.compile.Engines;
import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What compiling a model takes with each engine, and how large the result is. A model is compiled
 * twice: first with code that is still cold, then again. Seconds are CPU time: the compiling
 * thread's own, and for the first time all of the JVM's, which is what it takes where there is one
 * core, the JIT included.
 *
 * <p>Arguments: {@code TREESxLEAVES}, then engines; all if there are none.
 */
public final class CompileTimes {
  private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean JVM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private CompileTimes() {}

  public static void main(String[] args) {
    String[] size = (args.length > 0 ? args[0] : "1000x64").split("x");
    TreeEnsemble ensemble =
        TrainedModel.sized(Integer.parseInt(size[0]), Integer.parseInt(size[1])).ensemble();
    List<Algorithm> algorithms = new ArrayList<>();
    for (int i = 1; i < args.length; i++) {
      algorithms.add(Engines.named(args[i]));
    }
    if (algorithms.isEmpty()) {
      algorithms.addAll(Engines.names());
    }
    System.out.println("| engine | first | of all threads | again | bytes per tree |");
    System.out.println("|---|--:|--:|--:|--:|");
    for (Algorithm algorithm : algorithms) {
      try {
        row(ensemble, algorithm);
      } catch (UnsupportedEnsembleException e) {
        System.err.println(e.getMessage());
      }
    }
  }

  private static void row(TreeEnsemble ensemble, Algorithm algorithm) {
    long jvm = JVM.getProcessCpuTime();
    double first = seconds(ensemble, algorithm);
    double all = (JVM.getProcessCpuTime() - jvm) / 1e9;
    double again = seconds(ensemble, algorithm);
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.2f s | %.2f s | %.2f s | %,d |%n",
        algorithm,
        first,
        all,
        again,
        scorer.bytes() / ensemble.trees().size());
    scorer.close();
  }

  private static double seconds(TreeEnsemble ensemble, Algorithm algorithm) {
    long start = THREAD.getCurrentThreadCpuTime();
    ScorerCompiler.compile(ensemble, algorithm).close();
    return (THREAD.getCurrentThreadCpuTime() - start) / 1e9;
  }
}
