// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.AlgorithmSelector.Candidates;
import io.quickscorer.engine.heavypath.HeavyPathScorer;
import io.quickscorer.engine.simd.VectorSupport;
import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.ScorerContractTest;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract for what AUTO picks, and that it picks what this JVM should use. */
public final class ScorerCompilerTest extends ScorerContractTest {
  /** One of another module. */
  private static final Algorithm WALKER = new Algorithm("walker", 0);

  private static final Set<Algorithm> NO_PATHS = Set.copyOf(HeavyPathScorer.WIDTHS);

  @Override
  protected EnsembleScorer compile(TreeEnsemble ensemble) {
    return ScorerCompiler.compile(ensemble, Algorithm.AUTO);
  }

  public static TreeEnsemble ensemble(int leaves) {
    return RandomEnsembles.of(Seeds.random("compiler")).leaves(leaves, leaves).build();
  }

  private static RoutedScorer auto(TreeEnsemble ensemble) {
    return AutoScorer.compile(ensemble, Algorithm.AUTO, Set.of(), CompileProgress.NONE);
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "true")
  void autoUsesVectorsWhereTheModuleIs() {
    assertFalse(VectorSupport.widths().isEmpty(), "the module was asked for but is not usable");
    int widest = VectorSupport.widths().getLast();
    RoutedScorer auto = auto(ensemble(64));
    int permuting = HeavyPathScorer.unavailable(512).isEmpty() ? 512 : Math.min(256, widest);
    assertEquals("heavypath-" + permuting, auto.algorithm(1).label());
    assertEquals("heavypath-" + permuting, auto.algorithm(permuting == 512 ? 16 : 8).label());
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(49));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(100_000));
    assertTrue(auto.engine().endsWith("bitsliced of 64 to " + widest + " bits"), auto.engine());
  }

  @Test
  @EnabledIfSystemProperty(named = "tests.vectors", matches = "false")
  void autoDoesWithoutTheModule() {
    assertEquals(List.of(), VectorSupport.widths());
    RoutedScorer auto = auto(ensemble(64));
    assertEquals(Algorithm.QS, auto.algorithm(1));
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(1000));
    UnsupportedEnsembleException e =
        assertThrows(
            UnsupportedEnsembleException.class,
            () -> ScorerCompiler.compile(ensemble(8), Algorithm.VQS_256));
    assertEquals(
        "vqs-256: module jdk.incubator.vector is not available in this JVM", e.getMessage());
  }

  @Test
  void autoWalksTreesTooLargeForBits() {
    RoutedScorer auto = auto(ensemble(1025));
    assertEquals(Algorithm.OBJECT, auto.algorithm(1));
    assertEquals(Algorithm.OBJECT, auto.algorithm(1000));
  }

  @Test
  void aNamedAlgorithmIsUsedOrRefused() {
    for (Algorithm algorithm : Engines.names()) {
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
    Candidates none = candidates(List.of(), NO_PATHS);
    assertEquals(Algorithm.QS, select(64, none, 1));
    assertEquals(WALKER, select(65, none, 1));
    assertEquals(Algorithm.QS, select(64, none, 6));
    assertEquals(Algorithm.BIT_SLICED, select(64, none, 7));
    assertEquals(Algorithm.BIT_SLICED, select(1024, none, 1000));
    assertEquals(WALKER, select(1025, none, 1000));
    assertEquals(Algorithm.VQS_128, select(64, candidates(List.of(128), NO_PATHS), 6));
    assertEquals(Algorithm.BIT_SLICED, select(64, candidates(List.of(128), NO_PATHS), 7));
    assertEquals(Algorithm.VQS_256, select(64, candidates(List.of(128, 256), NO_PATHS), 8));
    assertEquals(Algorithm.BIT_SLICED, select(64, candidates(List.of(128, 256), NO_PATHS), 9));
    Candidates narrow =
        candidates(List.of(128), Set.of(Algorithm.HEAVY_PATH_512, Algorithm.HEAVY_PATH_256));
    assertEquals(Algorithm.HEAVY_PATH_128, select(64, narrow, 10));
    assertEquals(Algorithm.BIT_SLICED, select(64, narrow, 11));
    assertEquals(Algorithm.HEAVY_PATH_128, select(32, narrow, 6));
    assertEquals(Algorithm.BIT_SLICED, select(32, narrow, 7));
    Candidates avx512 = candidates(List.of(128, 256, 512), NO_PATHS);
    assertEquals(Algorithm.QS, select(64, avx512, 1));
    assertEquals(Algorithm.VQS_512, select(32, avx512, 16));
    assertEquals(Algorithm.BIT_SLICED, select(32, avx512, 64));
    assertEquals(WALKER, select(65, avx512, 1));
    assertEquals(Algorithm.BIT_SLICED, select(65, avx512, 64));
    Candidates avx2 =
        candidates(List.of(128, 256), Set.of(Algorithm.HEAVY_PATH_512, Algorithm.VQS_512));
    assertEquals(Algorithm.HEAVY_PATH_256, select(64, avx2, 1));
    assertEquals(Algorithm.HEAVY_PATH_256, select(64, avx2, 16));
    assertEquals(Algorithm.BIT_SLICED, select(64, avx2, 17));
    assertEquals(Algorithm.HEAVY_PATH_256, select(32, avx2, 10));
    assertEquals(Algorithm.BIT_SLICED, select(32, avx2, 11));
    assertEquals(Algorithm.HEAVY_PATH_256, select(65, avx2, 4));
    assertEquals(Algorithm.VQS_256, select(65, avx2, 5));
    assertEquals(Algorithm.BIT_SLICED, select(65, avx2, 9));
    assertEquals(WALKER, select(1025, avx2, 16));
    Candidates vbmi = candidates(List.of(128, 256, 512), Set.of());
    assertEquals(Algorithm.HEAVY_PATH_512, select(64, vbmi, 1));
    assertEquals(Algorithm.HEAVY_PATH_512, select(1024, vbmi, 16));
    assertEquals(WALKER, select(1025, vbmi, 16));
    assertEquals(Algorithm.HEAVY_PATH_512, select(32, vbmi, 32));
    assertEquals(Algorithm.BIT_SLICED, select(32, vbmi, 33));
    assertEquals(Algorithm.BIT_SLICED, select(64, vbmi, 64));
    assertEquals(Algorithm.OBJECT, select(1025, new Candidates(List.of(), NO_PATHS, null), 1000));
  }

  @Test
  void whatCannotBeSlicedIsLeftToTheOthers() {
    Set<Algorithm> neither = new HashSet<>(NO_PATHS);
    neither.add(Algorithm.BIT_SLICED);
    assertEquals(Algorithm.VQS_512, select(64, candidates(List.of(128, 256, 512), neither), 1000));
    assertEquals(
        Algorithm.HEAVY_PATH_512,
        select(64, candidates(List.of(128, 256, 512), Set.of(Algorithm.BIT_SLICED)), 1000));
  }

  /** Each category set takes a bit of a rank: these take more tables than AUTO likes. */
  @Test
  void manyCategorySetsAreLeftToTheOthers() {
    TreeEnsemble ensemble =
        RandomEnsembles.of(Seeds.random("sets")).categorical().trees(1500).leaves(64, 64).build();
    RoutedScorer auto = auto(ensemble);
    assertFalse(HeavyPathScorer.WIDTHS.contains(auto.algorithm(1)), auto.engine());
    assertEquals(Algorithm.BIT_SLICED, auto.algorithm(1000));
  }

  /** One engine after the other is excluded, until the reference alone is left. */
  @Test
  void theNextEngineTakesTheExcludedOnesPlace() {
    SplittableRandom random = Seeds.random("excluded");
    for (int leaves : new int[] {16, 64, 300}) {
      TreeEnsemble ensemble = RandomEnsembles.of(random).leaves(leaves, leaves).build();
      Set<Algorithm> excluded = new HashSet<>();
      Algorithm scored = Algorithm.AUTO;
      while (scored != Algorithm.OBJECT) {
        EnsembleScorer auto =
            ScorerCompiler.compile(ensemble, Algorithm.CPU, excluded, CompileProgress.NONE);
        assertEquals(Algorithm.CPU, auto.algorithm());
        excluded.forEach(engine -> assertFalse(auto.uses(engine), engine::label));
        for (int documents : new int[] {1, 10, 100}) {
          scored = scoredAsTheReferenceDoes(auto, Values.documents(random, ensemble, documents));
          assertTrue(auto.uses(scored), scored.label());
        }
        excluded.add(scored);
      }
      assertTrue(excluded.contains(Algorithm.BIT_SLICED));
    }
  }

  /** Which engine it was, by its own account. */
  private static Algorithm scoredAsTheReferenceDoes(EnsembleScorer auto, FeatureMatrix matrix) {
    double[] expected = new double[matrix.documents()];
    double[] scores = new double[matrix.documents()];
    EnsembleScorer reference = ReferenceScorer.compile(auto.ensemble());
    reference.score(matrix, reference.newScratch(), expected);
    Scratch scratch = auto.newScratch();
    assertNull(scratch.lastEngine());
    auto.score(matrix, scratch, scores);
    assertArrayEquals(expected, scores);
    return Objects.requireNonNull(scratch.lastEngine());
  }

  @Test
  void anExcludedAlgorithmIsNotCompiled() {
    UnsupportedEnsembleException e =
        assertThrows(
            UnsupportedEnsembleException.class,
            () ->
                ScorerCompiler.compile(
                    ensemble(8), Algorithm.QS, Set.of(Algorithm.QS), CompileProgress.NONE));
    assertEquals(
        "qs: the caller excluded this engine for this model, for example because it computed a"
            + " wrong score",
        e.getMessage());
  }

  private static Candidates candidates(List<Integer> widths, Set<Algorithm> excluded) {
    return new Candidates(widths, excluded, WALKER);
  }

  private static Algorithm select(int leaves, Candidates candidates, int documents) {
    return AlgorithmSelector.select(ensemble(leaves).shape(), candidates, documents);
  }
}
