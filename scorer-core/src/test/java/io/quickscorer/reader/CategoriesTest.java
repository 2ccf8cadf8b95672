// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.ScorerCompiler;
import io.quickscorer.ensemble.CategoryList;
import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.EnsembleScorer;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What files say of categories' values; the scores are those of the trainers for these values. */
final class CategoriesTest {
  private static final int PRICE = 0;
  private static final int COLOUR = 1;
  private static final int SIZE = 2;

  private static TreeEnsemble read(byte[] file) {
    return ModelReader.read(file, ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }

  private static double[] scores(TreeEnsemble ensemble, float[] values) {
    FeatureMatrix matrix = FeatureMatrix.ofRows(values, ensemble.featureNames().size());
    double[] scores = new double[values.length / ensemble.featureNames().size()];
    EnsembleScorer scorer = ScorerCompiler.compile(ensemble, Algorithm.CPU);
    scorer.score(matrix, scorer.newScratch(), scores);
    return scores;
  }

  /** A row of values as codes. */
  private static float[] codes(TreeEnsemble ensemble, String line) {
    String[] fields = line.split("\t", -1);
    CategoryList colours = ensemble.categories().get(COLOUR);
    CategoryList sizes = ensemble.categories().get(SIZE);
    String colour =
        fields[COLOUR].isEmpty()
            ? ""
            : fields[COLOUR].substring(1, fields[COLOUR].length() - 1).replace("\"\"", "\"");
    return new float[] {
      Float.parseFloat(fields[PRICE]),
      colour.isEmpty() ? Float.NaN : colours.code(colour),
      fields[SIZE].isEmpty() ? Float.NaN : sizes.code(Double.parseDouble(fields[SIZE]))
    };
  }

  @Test
  void valuesScoreAsTheTrainersSay() {
    for (Fixture fixture : Fixture.ofCategories()) {
      List<String> lines = fixture.values();
      double[] expected = fixture.cases().raw();
      for (String encoding : fixture.encodings()) {
        TreeEnsemble ensemble = read(fixture.model(encoding));
        assertEquals(List.of("price", "colour", "size"), ensemble.featureNames());
        float[] values = new float[expected.length * 3];
        for (int row = 0; row < expected.length; row++) {
          System.arraycopy(codes(ensemble, lines.get(row + 1)), 0, values, 3 * row, 3);
        }
        double[] scores = scores(ensemble, values);
        for (int row = 0; row < scores.length; row++) {
          assertEquals(expected[row], scores[row], fixture + " " + encoding + ", row " + row);
        }
        assertTrue(ensemble.source().notes().isEmpty(), ensemble.source().notes().toString());
        // Other codes are other scores: the test can fail.
        values[COLOUR] = (values[COLOUR] + 1) % 9;
        assertNotEquals(scores[0], scores(ensemble, values)[0]);
      }
    }
  }

  @Test
  void listsOfCategoricalFeatures() {
    for (Fixture fixture : Fixture.ofCategories()) {
      for (String encoding : fixture.encodings()) {
        TreeEnsemble ensemble = read(fixture.model(encoding));
        assertEquals(List.of(COLOUR, SIZE), List.copyOf(ensemble.categories().keySet()));
      }
    }
  }

  @Test
  void oneListPerCategoricalFeature() {
    TreeEnsemble ensemble = SmallModels.read(SmallModels.LIGHTGBM_VALUES);
    CategoryList list = ensemble.categories().get(1);
    assertEquals(34, list.size());
    assertEquals("\"", list.text(32));
    assertEquals("ä", list.text(33));
    CategoryList texts = SmallModels.read(SmallModels.XGBOOST_VALUES).categories().get(1);
    assertEquals(List.of("a", "ä"), texts.texts());
  }

  /** The model scores codes whatever is said of their values. */
  private static void unusable(String lists, String note) {
    TreeEnsemble ensemble =
        SmallModels.read(SmallModels.LIGHTGBM + "\npandas_categorical:" + lists + "\n");
    assertEquals(Map.of(), ensemble.categories());
    assertEquals(1, ensemble.source().notes().size(), lists);
    assertTrue(ensemble.source().notes().getFirst().contains(note), ensemble.source().toString());
    assertEquals(4020, SmallModels.score(ensemble, 1, 33));
  }

  @Test
  void listsThatDoNotFit() {
    unusable("[[1, 2]]", "feature 1 had values that are not in its list of length 2");
    unusable("[[1, 2], [3]]", "2 lists, but the file has 1 categorical features");
    unusable("[[1], [2], [3]]", "lists: 3, at most 2 allowed");
    unusable("[[1, \"a\"]]", "texts and numbers in one list");
    unusable("[[1, 1.0]]", "have the same value");
    unusable("[[1, true]]", "have the same value");
    unusable("[[NaN]]", "not a finite number");
    unusable("[[12345678901234567890]]", "expected numbers of at most 53 bits");
    unusable("[[\"a\\ud83c\"]]", "half of a surrogate pair");
    unusable("[[\"\\x\"]]", "the JSON is malformed");
    unusable("[[1, [2]]]", "pandas_categorical: ");
    unusable("[[1]", "the JSON is malformed or truncated");
    unusable("{}", "found an object, expected an array");
    unusable("[[\"a]]", "the JSON is malformed or truncated");
  }

  @Test
  void noListsAreNoNews() {
    for (String none : List.of("null", "[]", " [ ] ")) {
      TreeEnsemble ensemble =
          SmallModels.read(SmallModels.LIGHTGBM + "\npandas_categorical:" + none + "\n");
      assertEquals(Map.of(), ensemble.categories());
      assertEquals(List.of(), ensemble.source().notes());
    }
  }

  /** Of XGBoost's lists each stands at its feature; the others are used all the same. */
  @Test
  void listsOfXGBoostThatSayNothing() {
    for (String[] edit :
        new String[][] {
          {"[97,-61,-92]", "[97,-61,97]", "not valid UTF-8"},
          {"[97,-61,-92]", "[97,-61]", "expected 1..2"},
          {"[0,1,3]", "[1,1,3]", "begins at byte 1"},
          {"\"offsets\":[0,1,3],\"values\":[97,-61,-92]", "\"values\":[5,5]", "the same value"}
        }) {
      TreeEnsemble ensemble =
          SmallModels.read(SmallModels.with(SmallModels.XGBOOST_VALUES, edit[0], edit[1]));
      assertEquals(Map.of(), ensemble.categories());
      assertTrue(ensemble.source().notes().toString().contains("cats: feature 1: "), edit[1]);
      assertTrue(ensemble.source().notes().toString().contains(edit[2]), edit[1]);
    }
  }

  @Test
  void textsThatCatBoostIsTold() {
    TreeEnsemble ensemble =
        ModelReader.read(
            Fixture.ofTexts().getFirst().model("cbm"),
            ModelFormat.AUTO,
            EnsembleLimits.DEFAULT,
            new ReadOptions(
                OptionalInt.empty(), Map.of("1", List.of("b", "a"), "category", List.of("c")), ""));
    assertEquals(2, ensemble.categories().size());
    assertEquals(
        List.of("b", "a"), ensemble.categories().get(ensemble.featureNames().indexOf("1")).texts());
  }
}
