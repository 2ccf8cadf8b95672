// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Times of the CPU's scorers, to hold a device's against. */
final class CpuTimes {
  /** Time to warm one size of a scorer up, over that of a measurement. */
  private static final int WARM_UP_SHARE = 20;

  private final BiFunction<TreeEnsemble, Algorithm, EnsembleScorer> compiler;
  private final double seconds;

  /**
   * @param compiler of the CPU's scorers
   * @param seconds time that a measurement takes about
   */
  CpuTimes(BiFunction<TreeEnsemble, Algorithm, EnsembleScorer> compiler, double seconds) {
    this.compiler = compiler;
    this.seconds = seconds;
  }

  /**
   * A scorer of the CPU.
   *
   * @throws IllegalStateException if calls of it could go to a device
   */
  EnsembleScorer compile(TreeEnsemble ensemble, Algorithm algorithm) {
    EnsembleScorer cpu = compiler.apply(ensemble, algorithm);
    for (Algorithm other : List.of(Algorithm.GPU, Algorithm.GPU_QS)) {
      if (cpu.uses(other)) {
        throw new IllegalStateException("the CPU's column would be scored by " + cpu.engine());
      }
    }
    return cpu;
  }

  /** Scores batches of each size that engines choose by, until the JVM has compiled them. */
  void warmUp(EnsembleScorer cpu, long seed) {
    Scratch scratch = cpu.newScratch();
    for (int documents : new int[] {1, 10, 100, 1000}) {
      FeatureMatrix matrix = SyntheticModels.documents(documents, seed);
      double[] scores = new double[documents];
      long start = System.nanoTime();
      while (System.nanoTime() - start < WARM_UP_SHARE * seconds * 1e9) {
        cpu.score(matrix, scratch, scores);
      }
    }
  }

  /**
   * Milliseconds that a scorer takes.
   *
   * @param scores gets all scores; where it is null, batches too long for the time there is are
   *     scored in part, and the time is scaled
   */
  double millis(EnsembleScorer cpu, FeatureMatrix matrix, int threads, double @Nullable [] scores) {
    int trees = cpu.ensemble().trees().size();
    long maxDocuments = Math.max(1000, (long) (seconds * 1e9 * threads / (4.0 * trees)));
    int documents =
        (int) Math.min(matrix.documents(), scores == null ? maxDocuments : Long.MAX_VALUE);
    int share = (documents + threads - 1) / threads;
    List<FeatureMatrix> parts = new ArrayList<>();
    for (int from = 0; from < documents; from += share) {
      FeatureMatrix part = new FeatureMatrix(matrix.features(), share);
      part.setFrom(matrix, from, Math.min(share, documents - from));
      parts.add(part);
    }
    List<Scratch> scratches = new ArrayList<>();
    parts.forEach(p -> scratches.add(cpu.newScratch()));
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      double nanos =
          fastest(
              seconds,
              () -> {
                List<Future<?>> running = new ArrayList<>();
                for (int i = 0; i < parts.size(); i++) {
                  FeatureMatrix part = parts.get(i);
                  Scratch scratch = scratches.get(i);
                  int from = i * share;
                  running.add(
                      pool.submit(
                          () -> {
                            double[] found = new double[part.documents()];
                            cpu.score(part, scratch, found);
                            if (scores != null) {
                              System.arraycopy(found, 0, scores, from, found.length);
                            }
                          }));
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

  /** Nanoseconds of the fastest of at least four runs, which take so many seconds about. */
  static double fastest(double seconds, Runnable run) {
    double least = Double.MAX_VALUE;
    double spent = 0;
    for (int r = 0; r < 4 || (spent < seconds * 1e9 && r < 1000); r++) {
      long start = System.nanoTime();
      run.run();
      double time = System.nanoTime() - start;
      least = Math.min(least, time);
      spent += time;
    }
    return least;
  }
}
