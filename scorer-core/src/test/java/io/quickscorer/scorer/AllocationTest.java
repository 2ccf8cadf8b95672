package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.vector.VectorSupport;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * In the steady state scoring allocates nothing per document. A vector that the JIT fails to keep
 * in a register is boxed, so this also finds kernels that fell apart, long before a stopwatch
 * would.
 */
final class AllocationTest {
  private static final int DOCUMENTS = 512;
  private static final long WARMUP_NANOS = 60_000_000_000L;

  /** A call may allocate a little; a document may not: boxing costs hundreds of bytes each. */
  private static final long BYTES_PER_CALL = DOCUMENTS;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TestFactory
  Stream<DynamicTest> nothingPerDocument() {
    Stream<Algorithm> scalar =
        Stream.of(
            Algorithm.STRUCT_PLUS,
            Algorithm.PRED,
            Algorithm.VPRED,
            Algorithm.QS,
            Algorithm.QS_WIDE);
    Stream<Algorithm> vectors =
        VectorSupport.widths().stream()
            .flatMap(bits -> Stream.of("vqs-", "rapid-", "heavypath-").map(name -> name + bits))
            .map(Algorithm::of);
    return Stream.concat(scalar, vectors)
        .flatMap(
            algorithm ->
                Stream.of(32, 64, 200)
                    .filter(leaves -> leaves <= 64 || algorithm != Algorithm.QS)
                    .map(leaves -> test(algorithm, leaves)));
  }

  private DynamicTest test(Algorithm algorithm, int leaves) {
    return DynamicTest.dynamicTest(
        algorithm + ", " + leaves + " leaves",
        () -> {
          TreeEnsemble ensemble =
              RandomEnsembles.of(Seeds.random(algorithm.label()))
                  .categorical()
                  .trees(50)
                  .features(20)
                  .leaves(2, leaves)
                  .build();
          check(ScorerCompiler.compile(ensemble, algorithm));
        });
  }

  /** Calls until a call is clean: the JIT compiles when it gets to it, on a busy machine late. */
  private void check(EnsembleScorer scorer) {
    FeatureMatrix matrix =
        Values.documents(Seeds.random("allocation"), scorer.ensemble(), DOCUMENTS);
    Scratch scratch = scorer.newScratch();
    double[] scores = new double[DOCUMENTS];
    long start = System.nanoTime();
    long least = Long.MAX_VALUE;
    while (least > BYTES_PER_CALL && System.nanoTime() - start < WARMUP_NANOS) {
      long before = threads.getCurrentThreadAllocatedBytes();
      scorer.score(matrix, scratch, scores);
      scorer.score(matrix, scratch, scores);
      least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 2);
    }
    long found = least;
    assertTrue(
        found <= BYTES_PER_CALL,
        () -> scorer.algorithm() + ": " + found + " bytes per call of " + DOCUMENTS + " documents");
  }
}
