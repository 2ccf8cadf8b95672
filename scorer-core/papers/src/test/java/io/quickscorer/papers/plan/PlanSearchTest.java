// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.papers.quickscorer.BlockwiseQuickScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.testing.RandomEnsembles;
import io.quickscorer.testing.Seeds;
import io.quickscorer.testing.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PlanSearchTest {
  private static final CacheSizes CACHES = new CacheSizes(32 << 10, 1 << 20, 16 << 20);

  @Test
  void thereAreTwentyEightCases() {
    assertEquals(28, new HashSet<>(RangeCase.all()).size());
  }

  /** Small trees, 136 features, many of both. */
  @Test
  void smallTreesLeaveFourCases() {
    assertEquals(
        List.of("DSD2", "DSD2S1", "SDS2D2", "SDS2D1"),
        candidates(new RangeCase.Sizes(CACHES, 544, 1_000, 100_000, 20_000)));
  }

  @Test
  void treesOfWhichFewFitTheSecondLevelLeaveSix() {
    assertEquals(
        List.of("DSD2", "DSD2S1", "SDS2D2", "SDS2D1", "SDS3D1", "SDS3D2"),
        candidates(new RangeCase.Sizes(CACHES, 544, 4_000, 100_000, 20_000)));
  }

  /** Large tree blocks, as those of BWQS: DSD within the second level is among the cheapest. */
  @Test
  void elsewhereTheCheapestAreKept() {
    List<String> cases = candidates(new RangeCase.Sizes(CACHES, 544, 300_000, 10_000, 50));
    assertEquals(6, cases.size());
    assertTrue(cases.contains("DSD2"), cases::toString);
    assertTrue(!cases.contains("SDS4") && !cases.contains("DSD4S4"), cases::toString);
  }

  private static List<String> candidates(RangeCase.Sizes sizes) {
    return RangeCase.candidates(sizes).stream().map(RangeCase::toString).toList();
  }

  @Test
  void aTreeTooLargeForALevelRulesOutItsCases() {
    RangeCase.Sizes sizes = new RangeCase.Sizes(CACHES, 544, 100_000, 1_000, 1_000);
    for (RangeCase range : RangeCase.all()) {
      boolean inFirst = range.unitLevel() == 1 || range.equals(new RangeCase(LoopOrder.DSD, 1, 0));
      assertTrue(!inFirst || !range.fits(sizes), range::toString);
    }
  }

  @Test
  void aSearchReturnsAPlanItTried() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("search")).trees(200).build();
    FeatureMatrix sample = Values.documents(Seeds.random("sample"), ensemble, 100);
    List<BlockwiseQuickScorer> engines =
        List.of(
            BlockwiseQuickScorer.compile(ensemble, 10, CompileProgress.NONE),
            BlockwiseQuickScorer.compile(ensemble, 100, CompileProgress.NONE));
    PlanSearch search = new PlanSearch(CACHES, sample);
    PlanSearch.Found guided = search.guided(engines, Budget.of(50_000_000));
    PlanSearch.Found exhaustive = search.exhaustive(engines, Budget.of(50_000_000));
    assertTrue(guided.tried() > 4 && guided.tried() < exhaustive.tried());
    assertTrue(guided.nanosPerDocument() > 0);
    int tau = guided.plan().treesPerUnit();
    assertTrue(tau == 10 || tau == 100);
  }

  @Test
  void aShortBudgetScoresFewDocuments() {
    TreeEnsemble ensemble = RandomEnsembles.of(Seeds.random("short")).trees(200).build();
    FeatureMatrix sample = Values.documents(Seeds.random("sample"), ensemble, 1000);
    Recorder first = new Recorder(BlockwiseQuickScorer.compile(ensemble, 10, CompileProgress.NONE));
    Recorder second =
        new Recorder(BlockwiseQuickScorer.compile(ensemble, 100, CompileProgress.NONE));
    PlanSearch search = new PlanSearch(CACHES, sample);
    search.guided(List.of(first, second), Budget.of(0));
    assertEquals(16, Math.max(first.mostDocuments, second.mostDocuments));
    search.guided(List.of(first, second), Budget.of(60_000_000_000L));
    assertEquals(1000, first.mostDocuments);
    assertEquals(1000, second.mostDocuments);
  }

  /** An engine that notes what it is asked for. */
  private static final class Recorder implements BlockScorer {
    private final BlockwiseQuickScorer engine;
    private int mostDocuments;

    Recorder(BlockwiseQuickScorer engine) {
      this.engine = engine;
    }

    @Override
    public void add(
        int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
      mostDocuments = Math.max(mostDocuments, matrix.documents());
      engine.add(unit, matrix, from, to, scratch, sums);
    }

    @Override
    public void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {
      engine.prepare(matrix, from, to, scratch);
    }

    @Override
    public int units() {
      return engine.units();
    }

    @Override
    public int treesPerUnit() {
      return engine.treesPerUnit();
    }

    @Override
    public TreeEnsemble ensemble() {
      return engine.ensemble();
    }

    @Override
    public Algorithm algorithm() {
      return engine.algorithm();
    }

    @Override
    public long bytes() {
      return engine.bytes();
    }

    @Override
    public Scratch newScratch() {
      return engine.newScratch();
    }
  }

  @Test
  void cacheSizesAsLinuxTellsThem(@TempDir Path directory) throws IOException {
    cache(directory, 0, "Data", "1", "48K");
    cache(directory, 1, "Instruction", "1", "32K");
    cache(directory, 2, "Unified", "2", "2M");
    cache(directory, 3, "Unified", "3", "32768K");
    assertEquals(new CacheSizes(48 << 10, 2 << 20, 32 << 20), CacheSizes.read(directory));
  }

  @Test
  void withoutCacheSizesTheTypicalOnes(@TempDir Path directory) throws IOException {
    assertEquals(CacheSizes.TYPICAL, CacheSizes.read(directory.resolve("none")));
    cache(directory, 0, "Data", "1", "many");
    assertEquals(CacheSizes.TYPICAL, CacheSizes.read(directory));
    assertTrue(CacheSizes.ofThisMachine().l1() > 0);
  }

  private static void cache(Path directory, int index, String type, String level, String size)
      throws IOException {
    Path cache = Files.createDirectory(directory.resolve("index" + index));
    Files.writeString(cache.resolve("type"), type + "\n");
    Files.writeString(cache.resolve("level"), level + "\n");
    Files.writeString(cache.resolve("size"), size + "\n");
  }
}
