// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.fixtures.Fixture;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Base scores become the margins that XGBoost itself made of them, to the bit. */
final class XGBoostBaseMarginTest {
  @ParameterizedTest
  @ValueSource(strings = {"xgboost-2.1.4", "xgboost-3.4.0"})
  void margins(String trainer) {
    List<Fixture.BaseMargin> margins = Fixture.baseMargins(trainer);
    assertTrue(margins.size() >= 1_000);
    boolean clamps = !trainer.startsWith("xgboost-2");
    int notNearest = 0;
    for (Fixture.BaseMargin margin : margins) {
      float score = Float.parseFloat(margin.baseScore());
      XGBoostObjective objective = XGBoostObjective.of(margin.objective(), 0);
      assertEquals(margin.margin(), objective.baseMargin(score, clamps, 0), margin.toString());
      double odds = objective == XGBoostObjective.LOGISTIC ? 1f / (1f / score - 1f) : score;
      notNearest += (float) Math.log(odds) == margin.margin() ? 0 : 1;
    }
    assertTrue(notNearest > 0, "no margin tells the library's logarithm from the nearest float");
  }
}
