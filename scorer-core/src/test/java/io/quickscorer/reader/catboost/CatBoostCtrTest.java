// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.catboost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.compile.WarmUp;
import io.quickscorer.ensemble.CategoryHash;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.explain.UnexplainableException;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.reader.SmallModels;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.Budget;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.Scratch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Target statistics and categories of texts; the scores are CatBoost's own. */
final class CatBoostCtrTest {
  private static TreeEnsemble read(byte[] file, Map<String, List<String>> categories) {
    ReadOptions options = new ReadOptions(OptionalInt.empty(), categories, "");
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT, options);
  }

  private static double[] score(EnsembleScorer scorer, FeatureMatrix matrix) {
    double[] scores = new double[matrix.documents()];
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  private static Fixture ctrs() {
    return Fixture.all().stream().filter(f -> f.name().equals("ctrs")).findFirst().orElseThrow();
  }

  /** Of every length at which the hash takes another way. */
  @Test
  void hashesOfTexts() {
    assertTrue(Fixture.categoryTexts().size() > 20);
    Fixture.categoryTexts()
        .forEach((text, hash) -> assertEquals(hash, CategoryHash.of(text), "of " + text.length()));
    for (int number : new int[] {0, 9, 10, 123, 9_999, 65_536, CategoryHash.MAX_CATEGORY}) {
      assertEquals(CategoryHash.of(number), CategoryHash.of(String.valueOf(number)));
    }
  }

  static List<Fixture> ofTexts() {
    return Fixture.ofTexts();
  }

  @ParameterizedTest
  @MethodSource("ofTexts")
  void categoriesOfTexts(Fixture fixture) {
    List<String> texts = List.copyOf(Fixture.categoryTexts().keySet());
    Map<String, List<String>> categories = Map.of("1", texts, "category", texts);
    Fixture.Cases cases = fixture.cases();
    FeatureMatrix matrix = FeatureMatrix.ofRows(cases.values(), cases.features());
    for (String encoding : fixture.encodings()) {
      TreeEnsemble ensemble = read(fixture.model(encoding), categories);
      for (Algorithm algorithm : List.of(Algorithm.AUTO, Algorithm.OBJECT, Algorithm.QS)) {
        EnsembleScorer scorer = ScorerCompiler.compile(ensemble, algorithm);
        assertArrayEquals(cases.raw(), score(scorer, matrix), encoding + ", " + algorithm);
      }
    }
  }

  @Test
  void textsOfNoCategory() {
    byte[] file = Fixture.ofTexts().getFirst().model("cbm");
    Map<String, List<String>> none = Map.of("name 3", List.of("a"));
    InvalidModelException e = assertThrows(InvalidModelException.class, () -> read(file, none));
    assertTrue(String.valueOf(e.getMessage()).endsWith("no categorical feature [name 3]"));
    e =
        assertThrows(
            InvalidModelException.class, () -> read(SmallModels.bytes(SmallModels.LIGHTGBM), none));
    assertTrue(String.valueOf(e.getMessage()).contains("only supported for CatBoost models"));
  }

  /** Engines, warm, with any number of documents and one scratch. */
  @Test
  void batches() {
    Fixture.Cases cases = ctrs().cases();
    TreeEnsemble ensemble = read(ctrs().model("cbm"), Map.of());
    assertEquals(1, ensemble.source().notes().size());
    FeatureMatrix all = FeatureMatrix.ofRows(cases.values(), cases.features());
    EnsembleScorer auto = ScorerCompiler.compile(ensemble, Algorithm.AUTO);
    new WarmUp().run(auto, Budget.of(50_000_000));
    for (EnsembleScorer scorer : List.of(auto, ScorerCompiler.compile(ensemble, Algorithm.QS))) {
      assertEquals(ensemble, scorer.ensemble());
      Scratch scratch = scorer.newScratch();
      FeatureMatrix batch = new FeatureMatrix(cases.features(), all.documents());
      for (int documents : new int[] {1, 64, 0, 65, all.documents(), 7}) {
        batch.setFrom(all, all.documents() - documents, documents);
        double[] scores = new double[documents];
        scorer.score(batch, scratch, scores);
        double[] raw = cases.raw();
        assertArrayEquals(Arrays.copyOfRange(raw, raw.length - documents, raw.length), scores);
      }
    }
  }

  @Test
  void whatElseIsKnownOfTheModel() {
    TreeEnsemble ensemble = read(ctrs().model("json"), Map.of());
    assertTrue(ensemble.uses(1), "by CTRs alone");
    assertThrows(UnexplainableException.class, () -> Explainer.compile(ensemble));
    List<FeatureImportance> importances = FeatureImportance.of(ensemble);
    assertEquals("CTR 0 of [1]", importances.get(ensemble.featureNames().size()).feature());
    assertTrue(importances.get(ensemble.featureNames().size()).splits() > 0);
    TreeEnsemble small = read(SmallModels.bytes(SmallModels.CATBOOST_CTR), Map.of());
    assertEquals(1, SmallModels.score(small, 0, 0, 3));
    assertTrue(small.uses(2) && !small.uses(0));
  }
}
