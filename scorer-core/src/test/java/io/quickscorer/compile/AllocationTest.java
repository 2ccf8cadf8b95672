// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.Allocations;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * In the steady state scoring allocates nothing per document: less than a byte, where boxing costs
 * hundreds. A vector that the JIT fails to keep in a register is boxed, so this also finds kernels
 * that fell apart, long before a stopwatch would. All widths run in one JVM, because they share the
 * vector module's profiles.
 */
final class AllocationTest {
  private static final int DOCUMENTS = 512;

  /** Few documents: the kernels' loops are short, and the JIT gets to them in another order. */
  private static final int FEW_DOCUMENTS = 20;

  @TestFactory
  Stream<DynamicTest> nothingPerDocument() {
    Stream<Algorithm> scalar = Stream.of(Algorithm.QS);
    Stream<Algorithm> vectors =
        VectorSupport.widths().stream()
            .flatMap(bits -> Stream.of("vqs-", "heavypath-").map(name -> name + bits))
            .map(Engines::named);
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
          Allocations.check(ScorerCompiler.compile(ensemble, algorithm), DOCUMENTS);
        });
  }

  /**
   * One way through the bit-sliced forms.
   *
   * @param leaves decide on the look-up
   */
  private record Bits(Accumulator sums, int leaves, int documents) {}

  /** Up to 250 thresholds of a feature take ranks of eight bits. */
  @TestFactory
  Stream<DynamicTest> nothingInBits() {
    List<Bits> ways =
        List.of(
            new Bits(Accumulator.DOUBLE, 32, DOCUMENTS),
            new Bits(Accumulator.DOUBLE, 64, FEW_DOCUMENTS),
            new Bits(Accumulator.DOUBLE, 128, DOCUMENTS),
            new Bits(Accumulator.FLOAT, 64, FEW_DOCUMENTS),
            new Bits(Accumulator.FLOAT, 128, DOCUMENTS));
    return Stream.concat(Stream.of(""), VectorSupport.widths().stream().map(bits -> "-" + bits))
        .map(width -> Engines.named("bitsliced" + width))
        .flatMap(algorithm -> ways.stream().map(way -> test(algorithm, way)));
  }

  private DynamicTest test(Algorithm algorithm, Bits way) {
    return DynamicTest.dynamicTest(
        algorithm + ", " + way,
        () -> {
          RandomEnsembles recipe =
              RandomEnsembles.of(Seeds.random(algorithm.label()))
                  .categorical()
                  .trees(60)
                  .features(12)
                  .thresholds(250)
                  .leaves(way.leaves / 2, way.leaves)
                  .accumulator(way.sums);
          TreeEnsemble ensemble =
              (way.sums == Accumulator.FLOAT ? recipe.floatLeaves() : recipe).build();
          Allocations.check(ScorerCompiler.compile(ensemble, algorithm), way.documents);
        });
  }
}
