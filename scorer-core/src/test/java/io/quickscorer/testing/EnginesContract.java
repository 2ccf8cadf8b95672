// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Compilations of engines can be followed and stopped, and their results say what they take. */
public abstract class EnginesContract extends CompileProgressContract {
  /** Small objects, headers and padding are not counted one by one. */
  private static final double NEAR = 1.1;

  /** Of buffers that do not grow with batches or splits. */
  private static final long FEW_BYTES = 5_000;

  /** The engines that are held to the contract. */
  protected abstract List<Algorithm> engines();

  private Stream<Algorithm> algorithms() {
    return engines().stream().filter(this::isAvailable);
  }

  @Override
  protected Map<String, Compilation> compilations() {
    Map<String, Compilation> compilations = new LinkedHashMap<>();
    algorithms()
        .forEach(
            algorithm ->
                compilations.put(
                    algorithm.label(),
                    (trees, progress) -> ScorerCompiler.compile(trees, algorithm, progress)));
    return compilations;
  }

  private boolean isAvailable(Algorithm algorithm) {
    try {
      ScorerCompiler.compile(ensemble, algorithm).close();
      return true;
    } catch (UnsupportedEnsembleException e) {
      return false;
    }
  }

  @TestFactory
  Stream<DynamicTest> scratchBytesAreWhatABatchTakes() {
    return algorithms()
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> takes(algorithm)));
  }

  private void takes(Algorithm algorithm) {
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
    for (int documents : new int[] {1, 40, 300, 5000}) {
      Scratch scratch = scorer.newScratch();
      FeatureMatrix matrix = new FeatureMatrix(ensemble.featureNames().size(), documents);
      scorer.score(matrix, scratch, new double[documents]);
      long said = scorer.scratchBytes(documents);
      long taken = scratch.bytes();
      assertTrue(
          Math.abs(said - taken) < FEW_BYTES + 0.25 * taken,
          () -> documents + " documents: says " + said + ", takes " + taken);
    }
    scorer.close();
  }

  @TestFactory
  Stream<DynamicTest> bytesAreWhatIsHeld() {
    return algorithms()
        .map(algorithm -> DynamicTest.dynamicTest(algorithm.label(), () -> holds(algorithm)));
  }

  private void holds(Algorithm algorithm) {
    HeapWalk walk = new HeapWalk();
    walk.bytes(ensemble);
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
    double held = walk.bytes(scorer);
    double said = scorer.bytes();
    scorer.close();
    if (algorithm.label().equals("codegen")) {
      // What it says is mostly class files, which are no objects.
      assertTrue(said > held + 20 * ensemble.shape().splits(), "at 20 bytes a split");
      assertTrue(said < held + 60 * ensemble.shape().splits(), "at 60 bytes a split");
      return;
    }
    assertTrue(
        held < NEAR * said && said < NEAR * held,
        () -> "says " + said / TREES + " bytes per tree, holds " + held / TREES);
  }
}
