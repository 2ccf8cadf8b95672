package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.vector.VectorSupport;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract for what AUTO picks, and that it picks what this JVM should use. */
final class ScorerCompilerTest extends ScorerContractTest {
  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return ScorerCompiler.compile(ensemble, Algorithm.AUTO);
  }

  private static TreeEnsemble ensemble(int leaves) {
    return RandomEnsembles.of(Seeds.random("compiler")).leaves(leaves, leaves).build();
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "true")
  void autoUsesVectorsWhereTheModuleIs() {
    assertFalse(VectorSupport.widths().isEmpty(), "the module was asked for but is not usable");
    int widest = VectorSupport.widths().getLast();
    AutoScorer auto = AutoScorer.compile(ensemble(64), Algorithm.AUTO);
    assertEquals(Algorithm.QS, auto.algorithm(1));
    assertEquals("vqs-" + widest, auto.algorithm(10).label());
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(20));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(100_000));
    assertTrue(auto.engine().endsWith("bitsliced of 64 to " + widest + " bits"), auto.engine());
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "false")
  void autoDoesWithoutTheModule() {
    assertEquals(List.of(), VectorSupport.widths());
    AutoScorer auto = AutoScorer.compile(ensemble(64), Algorithm.AUTO);
    assertEquals(Algorithm.QS, auto.algorithm(1));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(1000));
    UnsupportedEnsembleException e =
        assertThrows(
            UnsupportedEnsembleException.class,
            () -> ScorerCompiler.compile(ensemble(8), Algorithm.VQS_256));
    assertEquals("vqs-256: module jdk.incubator.vector is not in this JVM", e.getMessage());
  }

  @Test
  void autoWalksTreesTooLargeForBits() {
    AutoScorer auto = AutoScorer.compile(ensemble(1025), Algorithm.AUTO);
    assertEquals(Algorithm.STRUCT_PLUS, auto.algorithm(1));
    assertEquals(Algorithm.STRUCT_PLUS, auto.algorithm(1000));
  }

  @Test
  void aNamedAlgorithmIsUsedOrRefused() {
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm == Algorithm.AUTO) {
        continue;
      }
      try {
        EnsembleScorer scorer = ScorerCompiler.compile(ensemble(16), algorithm);
        assertEquals(algorithm, scorer.algorithm());
        assertTrue(scorer.bytes() > 0);
      } catch (UnsupportedEnsembleException e) {
        assertTrue(e.getMessage().startsWith(algorithm.label() + ": "), e.getMessage());
      }
    }
  }

  @Test
  void selectionByTable() {
    List<Integer> none = List.of();
    List<Integer> avx2 = List.of(128, 256);
    List<Integer> avx512 = List.of(128, 256, 512);
    assertEquals(Algorithm.QS, select(64, none, 1));
    assertEquals(Algorithm.STRUCT_PLUS, select(65, none, 1));
    assertEquals(Algorithm.BIT_SLICED, select(64, none, 1000));
    assertEquals(Algorithm.BIT_SLICED, select(1024, none, 1000));
    assertEquals(Algorithm.STRUCT_PLUS, select(1025, none, 1000));
    assertEquals(Algorithm.QS, select(64, avx512, 1));
    assertEquals(Algorithm.VQS_128, select(64, List.of(128), 16));
    assertEquals(Algorithm.VQS_256, select(64, avx2, 16));
    assertEquals(Algorithm.VQS_512, select(32, avx512, 16));
    assertEquals(Algorithm.BIT_SLICED, select(32, avx512, 64));
    assertEquals(Algorithm.STRUCT_PLUS, select(65, avx512, 1));
    assertEquals(Algorithm.BIT_SLICED, select(65, avx512, 64));
  }

  @Test
  void whatCannotBeSlicedIsLeftToTheOthers() {
    assertEquals(
        Algorithm.VQS_512,
        AlgorithmSelector.select(ensemble(64).shape(), List.of(128, 256, 512), 1000, false));
  }

  private static Algorithm select(int leaves, List<Integer> widths, int documents) {
    return AlgorithmSelector.select(ensemble(leaves).shape(), widths, documents, true);
  }
}
