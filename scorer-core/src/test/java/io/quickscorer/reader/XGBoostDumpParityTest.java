// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.fixtures.Fixture;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Dumps score as the models they were made from, to the bit, where the base score they lose is 0:
 * as text and as JSON, with statistics, names, categories and indicators.
 */
final class XGBoostDumpParityTest {
  static List<Fixture> fixtures() {
    return Fixture.dumps();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void sameScores(Fixture fixture) {
    Fixture.Cases cases = fixture.cases();
    TreeEnsemble nested = read(fixture, "dump");
    TreeEnsemble lines = read(fixture, "text");
    assertEquals("xgboost_dump_json", nested.source().format().label());
    assertEquals("xgboost_dump_text", lines.source().format().label());
    boolean statistics = fixture.about().contains("statistics");
    boolean indicators = fixture.name().contains("indicators");
    for (TreeEnsemble ensemble : List.of(nested, lines)) {
      List<String> notes = ensemble.source().notes();
      assertEquals(indicators, notes.contains(XGBoostDump.INDICATORS_NOTE));
      assertTrue(notes.contains(XGBoostDump.CLASSES_NOTE));
      ensemble.trees().forEach(tree -> assertEquals(statistics, tree.statistics().hasCovers()));
      for (int row = 0; row < cases.raw().length; row++) {
        int from = row * cases.features();
        float[] values = new float[ensemble.featureNames().size()];
        for (int f = 0; f < values.length; f++) {
          String digits = ensemble.featureNames().get(f).replaceAll("[^0-9]", "");
          values[f] = cases.values()[from + Integer.parseInt(digits)];
        }
        assertEquals(cases.raw()[row], SmallModels.score(ensemble, values), "row " + row);
      }
    }
  }

  private static TreeEnsemble read(Fixture fixture, String encoding) {
    return ModelReader.read(fixture.model(encoding), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
  }
}
