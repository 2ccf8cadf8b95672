// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import io.quickscorer.papers.traversal.CodegenScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.Algorithm;
import java.util.ArrayList;
import java.util.List;

/**
 * Shapes that are timed in one JVM, and what is claimed of them.
 *
 * @param name of files and of {@code --only}
 * @param trees of the model that LightGBM trained
 * @param leaves most leaves of a tree
 * @param repeats how often the trees are taken one after the other: a larger ensemble without hours
 *     of training
 * @param documents batch sizes, one after the other
 * @param engines ours; {@link Bar#TUNED} of one among them times it under its guided plan as well
 * @param peers names of scorers of others
 * @param threads for all batch sizes an engine is timed on so many threads as well, if not 1
 * @param jvm what it runs in
 * @param bars the claims
 */
record BarGroup(
    String name,
    int trees,
    int leaves,
    int repeats,
    List<Integer> documents,
    List<Algorithm> engines,
    List<String> peers,
    int threads,
    Jvm jvm,
    List<Bar> bars) {

  private static final String ORT = "onnxruntime";
  private static final String LIGHTGBM = "lightgbm";
  private static final String VECTORS = "--add-modules=jdk.incubator.vector";
  private static final Jvm USUAL = new Jvm("", List.of(VECTORS));
  private static final Jvm NO_VECTORS = new Jvm(", no vector module", List.of());

  /** As on CPUs without AVX-512: no byte permutes either. */
  private static final Jvm AVX2 = new Jvm(", 256 bits", List.of(VECTORS, "-XX:UseAVX=2"));

  /** The width of most Arm servers, with the instructions of this CPU. */
  private static final Jvm NARROW =
      new Jvm(", 128 bits", List.of(VECTORS, "-XX:UseAVX=2", "-XX:MaxVectorSize=16"));

  /**
   * A JVM to time in.
   *
   * @param note follows the engine's name in tables
   * @param arguments the vector module or not, and narrower vectors than the CPU's
   */
  record Jvm(String note, List<String> arguments) {}

  /**
   * One engine is to be faster than another.
   *
   * @param documents per batch
   * @param engine the faster one
   * @param other the slower one, or the same on one thread
   * @param times how many times as fast it is to be; 0 where nothing is claimed
   */
  record Bar(int documents, String engine, String other, double times) {
    /** Follows an engine's name: the faster of the engine as it is and under its guided plan. */
    static final String TUNED = " tuned";

    /** Follows an engine's name: on the group's threads. */
    static final String PARALLEL = " parallel";
  }

  /** Those of costly models come last. */
  static final List<BarGroup> ALL =
      List.of(
          group("1000x64", 1000, 64)
              .documents(1000)
              .engines(Algorithm.AUTO, Algorithm.VQS_512, Algorithm.OBJECT)
              .peers(ORT, LIGHTGBM, "xgboost")
              .bar(1000, "auto", ORT, 25)
              .bar(1000, "auto", LIGHTGBM, 80)
              .bar(1000, "auto", "vqs-512 tuned", 5)
              .bar(1000, "auto", "object", 60)
              .build(),
          group("small", 1000, 64)
              .documents(100, 16, 1)
              .engines(Algorithm.AUTO)
              .peers(ORT)
              .bar(100, "auto", ORT, 10)
              .bar(16, "auto", ORT, 6)
              .bar(1, "auto", ORT, 4)
              .build(),
          group("no-vectors", 1000, 64)
              .documents(1000)
              .engines(Algorithm.AUTO)
              .peers(ORT)
              .jvm(NO_VECTORS)
              .bar(1000, "auto", ORT, 4)
              .build(),
          group("avx2", 1000, 64)
              .documents(1000, 100, 16, 1)
              .engines(
                  Algorithm.AUTO,
                  Algorithm.BIT_SLICED_256,
                  Algorithm.VQS_256,
                  Algorithm.HEAVY_PATH_256,
                  VPredScorer.ALGORITHM,
                  Algorithm.QS)
              .peers(ORT)
              .jvm(AVX2)
              .build(),
          group("128-bits", 1000, 64)
              .documents(1000, 100, 16, 1)
              .engines(
                  Algorithm.AUTO,
                  Algorithm.BIT_SLICED_128,
                  Algorithm.VQS_128,
                  Algorithm.HEAVY_PATH_128,
                  VPredScorer.ALGORITHM,
                  Algorithm.QS)
              .jvm(NARROW)
              .build(),
          group("1000x32", 1000, 32)
              .documents(1000)
              .engines(Algorithm.AUTO)
              .peers(ORT, LIGHTGBM)
              .bar(1000, "auto", ORT, 25)
              .bar(1000, "auto", LIGHTGBM, 80)
              .build(),
          group("threads", 1000, 64)
              .documents(10_000)
              .engines(Algorithm.AUTO, Algorithm.VQS_512)
              .peers(ORT)
              .threads(2)
              .bar(10_000, "vqs-512 parallel", "vqs-512", 1.8)
              .bar(10_000, "auto", ORT, 0)
              .build(),
          group("family-64", 1000, 64)
              .documents(1000)
              .engines(
                  Algorithm.QS, Algorithm.VQS_256, CodegenScorer.ALGORITHM, VPredScorer.ALGORITHM)
              .bar(1000, "vqs-256", "qs", 1.2)
              .bar(1000, "vpred", "codegen", 0)
              .build(),
          group("family-32", 1000, 32)
              .documents(1000)
              .engines(
                  Algorithm.QS, Algorithm.VQS_256, CodegenScorer.ALGORITHM, VPredScorer.ALGORITHM)
              .bar(1000, "vqs-256", "qs", 1.9)
              .bar(1000, "vpred", "codegen", 0)
              .build(),
          group("1000x255", 1000, 255)
              .documents(1000)
              .engines(Algorithm.AUTO)
              .peers(ORT, LIGHTGBM)
              .bar(1000, "auto", ORT, 14)
              .bar(1000, "auto", LIGHTGBM, 50)
              .build(),
          group("5000x64", 5000, 64)
              .documents(1000)
              .engines(Algorithm.AUTO, Algorithm.VQS_512)
              .peers(ORT, LIGHTGBM)
              .bar(1000, "auto", ORT, 35)
              .bar(1000, "auto", LIGHTGBM, 120)
              .bar(1000, "auto", "vqs-512 tuned", 6)
              .build(),
          group("20000x64", 5000, 64)
              .repeats(4)
              .documents(1000)
              .engines(Algorithm.AUTO, Algorithm.VQS_512)
              .peers(ORT)
              .bar(1000, "auto", ORT, 0)
              .bar(1000, "auto", "vqs-512 tuned", 0)
              .build());

  /** Names a group and its model. */
  private static Builder group(String name, int trees, int leaves) {
    return new Builder(name, trees, leaves);
  }

  /** Collects a group; what is not set has the usual value. */
  private static final class Builder {
    private final String name;
    private final int trees;
    private final int leaves;
    private final List<Bar> bars = new ArrayList<>();
    private int repeats = 1;
    private List<Integer> documents = List.of();
    private List<Algorithm> engines = List.of();
    private List<String> peers = List.of();
    private int threads = 1;
    private Jvm jvm = USUAL;

    Builder(String name, int trees, int leaves) {
      this.name = name;
      this.trees = trees;
      this.leaves = leaves;
    }

    Builder repeats(int times) {
      repeats = times;
      return this;
    }

    Builder documents(Integer... sizes) {
      documents = List.of(sizes);
      return this;
    }

    Builder engines(Algorithm... ours) {
      engines = List.of(ours);
      return this;
    }

    Builder peers(String... others) {
      peers = List.of(others);
      return this;
    }

    Builder threads(int number) {
      threads = number;
      return this;
    }

    Builder jvm(Jvm other) {
      jvm = other;
      return this;
    }

    Builder bar(int of, String engine, String other, double times) {
      bars.add(new Bar(of, engine, other, times));
      return this;
    }

    BarGroup build() {
      return new BarGroup(
          name, trees, leaves, repeats, documents, engines, peers, threads, jvm, bars);
    }
  }
}
