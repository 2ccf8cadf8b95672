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
    assertEquals("vqs-" + widest, compile(ensemble(32)).algorithm().label());
    assertEquals("vqs-" + widest, compile(ensemble(64)).algorithm().label());
    assertEquals("vqs-" + widest, compile(ensemble(255)).algorithm().label());
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "false")
  void autoDoesWithoutTheModule() {
    assertEquals(List.of(), VectorSupport.widths());
    assertEquals(Algorithm.QS, compile(ensemble(64)).algorithm());
    assertEquals(Algorithm.STRUCT_PLUS, compile(ensemble(65)).algorithm());
    UnsupportedEnsembleException e =
        assertThrows(
            UnsupportedEnsembleException.class,
            () -> ScorerCompiler.compile(ensemble(8), Algorithm.VQS_256));
    assertEquals("vqs-256: module jdk.incubator.vector is not in this JVM", e.getMessage());
  }

  @Test
  void autoWalksTreesTooLargeForBitvectors() {
    assertEquals(Algorithm.STRUCT_PLUS, compile(ensemble(1025)).algorithm());
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
    assertEquals(Algorithm.QS, select(64, none, 1000));
    assertEquals(Algorithm.STRUCT_PLUS, select(65, none, 1000));
    assertEquals(Algorithm.VQS_128, select(64, List.of(128), 1000));
    assertEquals(Algorithm.VQS_256, select(64, avx2, 1000));
    assertEquals(Algorithm.VQS_512, select(32, avx512, 1000));
    assertEquals(Algorithm.VQS_512, select(64, avx512, 16));
    assertEquals(Algorithm.QS, select(64, avx512, 1));
    assertEquals(Algorithm.VQS_512, select(1024, avx512, 1000));
    assertEquals(Algorithm.STRUCT_PLUS, select(1024, avx512, 1));
    assertEquals(Algorithm.STRUCT_PLUS, select(1025, avx512, 1000));
  }

  private static Algorithm select(int leaves, List<Integer> widths, int documents) {
    return AlgorithmSelector.select(ensemble(leaves).shape(), widths, documents);
  }
}
