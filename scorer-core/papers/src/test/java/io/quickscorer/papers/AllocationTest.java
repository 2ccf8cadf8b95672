// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.papers.quickscorer.RapidScorer;
import io.quickscorer.papers.quickscorer.WideQuickScorer;
import io.quickscorer.papers.traversal.FlatTreeScorer;
import io.quickscorer.papers.traversal.PredScorer;
import io.quickscorer.papers.traversal.VPredScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.Allocations;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * In the steady state these engines allocate nothing per document either.
 *
 * <p>Not held to it: {@code vpred-128} and so on, whose gathers the vector module itself spoils
 * where two widths are in use, and {@code codegen}, of which the JIT never gets to the end.
 */
final class AllocationTest {
  @TestFactory
  Stream<DynamicTest> nothingPerDocument() {
    Stream<Algorithm> scalar =
        Stream.of(
            FlatTreeScorer.STRUCT_PLUS,
            PredScorer.ALGORITHM,
            VPredScorer.ALGORITHM,
            WideQuickScorer.ALGORITHM);
    Stream<Algorithm> vectors =
        RapidScorer.WIDTHS.stream()
            .filter(algorithm -> VectorSupport.widths().contains(algorithm.width()));
    return Stream.concat(scalar, vectors)
        .flatMap(algorithm -> Stream.of(32, 64, 200).map(leaves -> test(algorithm, leaves)));
  }

  private static DynamicTest test(Algorithm algorithm, int leaves) {
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
          Allocations.check(ScorerCompiler.compile(ensemble, algorithm), 512);
        });
  }
}
