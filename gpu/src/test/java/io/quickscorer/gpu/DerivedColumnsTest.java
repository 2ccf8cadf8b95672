// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.scorer.Accelerators;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * CatBoost's target statistics: columns of the host, trees on the device, CatBoost's own scores.
 */
final class DerivedColumnsTest {
  @BeforeAll
  static void standin() {
    Standin.require();
  }

  static Stream<Fixture> fixtures() {
    return Stream.concat(
        Fixture.all().stream().filter(fixture -> fixture.name().startsWith("ctrs")),
        Fixture.ofTexts().stream());
  }

  private static TreeEnsemble read(Fixture fixture) {
    List<String> texts = List.copyOf(Fixture.categoryTexts().keySet());
    boolean ofTexts = fixture.name().endsWith("of_texts");
    ReadOptions options =
        new ReadOptions(
            OptionalInt.empty(), ofTexts ? Map.of("1", texts, "category", texts) : Map.of(), "");
    return ModelReader.read(
        fixture.model("cbm"), ModelFormat.AUTO, EnsembleLimits.DEFAULT, options);
  }

  private static long calls() {
    return ScorerCompiler.accelerators().devices().stream()
        .mapToLong(Accelerators.Device::calls)
        .sum();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void trainersScores(Fixture fixture) {
    TreeEnsemble ensemble = read(fixture);
    if (fixture.name().startsWith("ctrs")) {
      assertNotNull(ensemble.derived());
    }
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix all = FeatureMatrix.ofRows(cases.values(), cases.features());
    for (Algorithm algorithm : List.of(Algorithm.GPU, Algorithm.GPU_QS, Algorithm.AUTO)) {
      EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
      assertEquals(algorithm, scorer.algorithm());
      assertEquals(ensemble, scorer.ensemble());
      Scratch scratch = scorer.newScratch();
      FeatureMatrix batch = new FeatureMatrix(cases.features(), all.documents());
      for (int documents : new int[] {1, 64, 0, 65, all.documents(), 7}) {
        long before = calls();
        int first = all.documents() - documents;
        batch.setFrom(all, first, documents);
        double[] scores = new double[documents];
        scorer.score(batch, scratch, scores);
        double[] expected = Arrays.copyOfRange(cases.raw(), first, all.documents());
        assertArrayEquals(expected, scores, algorithm + ", " + documents + " documents");
        if (algorithm != Algorithm.AUTO && documents > 0) {
          assertTrue(calls() > before, algorithm + " did not score on the device");
        }
      }
      scorer.close();
    }
  }
}
