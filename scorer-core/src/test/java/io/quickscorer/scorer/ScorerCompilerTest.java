package io.quickscorer.scorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.AlgorithmSelector.Candidates;
import io.quickscorer.scorer.vector.HeavyPathScorers;
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

  static TreeEnsemble ensemble(int leaves) {
    return RandomEnsembles.of(Seeds.random("compiler")).leaves(leaves, leaves).build();
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "true")
  void autoUsesVectorsWhereTheModuleIs() {
    assertFalse(VectorSupport.widths().isEmpty(), "the module was asked for but is not usable");
    int widest = VectorSupport.widths().getLast();
    AutoScorer auto = AutoScorer.compile(ensemble(64), Algorithm.AUTO, CompileProgress.UNHEARD);
    boolean paths = HeavyPathScorers.unavailable(512).isEmpty();
    assertEquals(paths ? Algorithm.HEAVY_PATH_512 : Algorithm.QS, auto.algorithm(1));
    assertEquals(paths ? "heavypath-512" : "vqs-" + widest, auto.algorithm(10).label());
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(49));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(100_000));
    assertTrue(auto.engine().endsWith("bitsliced of 64 to " + widest + " bits"), auto.engine());
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "false")
  void autoDoesWithoutTheModule() {
    assertEquals(List.of(), VectorSupport.widths());
    AutoScorer auto = AutoScorer.compile(ensemble(64), Algorithm.AUTO, CompileProgress.UNHEARD);
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
    AutoScorer auto = AutoScorer.compile(ensemble(1025), Algorithm.AUTO, CompileProgress.UNHEARD);
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
    Candidates none = new Candidates(List.of(), true, false);
    assertEquals(Algorithm.QS, select(64, none, 1));
    assertEquals(Algorithm.STRUCT_PLUS, select(65, none, 1));
    assertEquals(Algorithm.BIT_SLICED, select(64, none, 1000));
    assertEquals(Algorithm.BIT_SLICED, select(1024, none, 1000));
    assertEquals(Algorithm.STRUCT_PLUS, select(1025, none, 1000));
    assertEquals(Algorithm.VQS_128, select(64, new Candidates(List.of(128), true, false), 16));
    assertEquals(Algorithm.VQS_256, select(64, new Candidates(List.of(128, 256), true, false), 16));
    Candidates avx512 = new Candidates(List.of(128, 256, 512), true, false);
    assertEquals(Algorithm.QS, select(64, avx512, 1));
    assertEquals(Algorithm.VQS_512, select(32, avx512, 16));
    assertEquals(Algorithm.BIT_SLICED, select(32, avx512, 64));
    assertEquals(Algorithm.STRUCT_PLUS, select(65, avx512, 1));
    assertEquals(Algorithm.BIT_SLICED, select(65, avx512, 64));
    Candidates vbmi = new Candidates(List.of(128, 256, 512), true, true);
    assertEquals(Algorithm.HEAVY_PATH_512, select(64, vbmi, 1));
    assertEquals(Algorithm.HEAVY_PATH_512, select(1024, vbmi, 16));
    assertEquals(Algorithm.STRUCT_PLUS, select(1025, vbmi, 16));
    assertEquals(Algorithm.HEAVY_PATH_512, select(32, vbmi, 32));
    assertEquals(Algorithm.BIT_SLICED, select(32, vbmi, 33));
    assertEquals(Algorithm.BIT_SLICED, select(64, vbmi, 64));
  }

  @Test
  void whatCannotBeSlicedIsLeftToTheOthers() {
    assertEquals(
        Algorithm.VQS_512, select(64, new Candidates(List.of(128, 256, 512), false, false), 1000));
    assertEquals(
        Algorithm.HEAVY_PATH_512,
        select(64, new Candidates(List.of(128, 256, 512), false, true), 1000));
  }

  /** Each category set takes a bit of a rank: these take more tables than AUTO likes. */
  @Test
  void manyCategorySetsAreLeftToTheOthers() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("sets")).categorical().trees(1500).leaves(64, 64).build();
    AutoScorer auto = AutoScorer.compile(ensemble, Algorithm.AUTO, CompileProgress.UNHEARD);
    assertNotEquals(Algorithm.HEAVY_PATH_512, auto.algorithm(1));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(1000));
  }

  private static Algorithm select(int leaves, Candidates candidates, int documents) {
    return AlgorithmSelector.select(ensemble(leaves).shape(), candidates, documents);
  }
}
