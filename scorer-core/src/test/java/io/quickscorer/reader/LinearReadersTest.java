// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import static io.quickscorer.reader.SmallModels.LINEAR;
import static io.quickscorer.reader.SmallModels.RANKLIB_LINEAR;
import static io.quickscorer.reader.SmallModels.XGBOOST_LINEAR;
import static io.quickscorer.reader.SmallModels.assertRefused;
import static io.quickscorer.reader.SmallModels.read;
import static io.quickscorer.reader.SmallModels.score;
import static io.quickscorer.reader.SmallModels.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Linear models of RankLib, XGBoost and plain JSON. */
final class LinearReadersTest {
  private static final EnsembleLimits FEW = new EnsembleLimits(10, 10, 10, 1, 10, 10);

  @Test
  void rankLib() {
    TreeEnsemble regression = read(RANKLIB_LINEAR);
    assertEquals(List.of("1", "2", "3"), regression.featureNames());
    assertEquals("Linear Regression", regression.source().objective());
    assertEquals(0, regression.shape().trees());
    assertEquals(2, regression.shape().usedFeatures());
    assertTrue(regression.uses(0) && !regression.uses(1) && regression.uses(2));
    assertEquals(1 + 2 * 10 - 0.5 * 4, score(regression, 10, 99, 4));
    assertEquals(1 - 0.5 * 4, score(regression, Float.NaN, 99, 4), "missing counts as 0");
    TreeEnsemble ascent = read("## Coordinate Ascent\n## Slack = 0.001\n\n2:0.1 1:0.2");
    assertEquals(0.1 * 3 + 0.2 * 7, score(ascent, 7, 3), "in the file's order, in double");
    TreeEnsemble twice = read("## AdaRank\n1:0.5 1:0.25 # the last one\n");
    assertEquals(0.75 * 4, score(twice, 4));
  }

  @Test
  void rankLibTraps() {
    assertRefused(with(RANKLIB_LINEAR, "0:1 ", ""), "the constant");
    assertRefused(with(RANKLIB_LINEAR, "0:1 ", "0:1 0:1 "), "weight 0: feature 0");
    assertRefused("## Coordinate Ascent\n0:1 1:0.5", "weight 0: feature 0");
    assertRefused("## Coordinate Ascent\n", "expected");
    assertRefused(
        "## Coordinate Ascent\n1:0.5\n2:0.5\n", "unexpected content after the line of weights");
    assertRefused(with(RANKLIB_LINEAR, "3:", "-3:"), "weight 1: feature -3");
    assertRefused(with(RANKLIB_LINEAR, "3:", "4000000000:"), "weight 1: feature");
    assertRefused(with(RANKLIB_LINEAR, "1:2.0", "1 2.0"), "weight 0: expected feature:weight");
    assertRefused(with(RANKLIB_LINEAR, "1:2.0", "1:NaN"), "weight 0: NaN");
    assertRefused(with(RANKLIB_LINEAR, "1:2.0", "1:1e999"), "weight 0: Infinity");
    assertRefused(with(RANKLIB_LINEAR, "1:2.0", "1:2,0"), "expected a number");
    assertRefused(with(RANKLIB_LINEAR, "0:1", "0:NaN"), "initial score");
  }

  @Test
  void json() {
    TreeEnsemble linear = read(LINEAR);
    assertEquals("linear_json", linear.source().format().label());
    assertEquals(List.of("a", "b"), linear.featureNames());
    assertEquals(2 * 3 - 0.5 * 4, score(linear, 3, 4));
    assertEquals(6, score(linear, 3, Float.NaN));
    TreeEnsemble floats = read("{\"a\": 0.1, \"learner\": 1e-9}");
    assertEquals(0.1f * 0.3f + 1e-9f * 7f, score(floats, 0.3f, 7f), "in float");
  }

  @Test
  void jsonTraps() {
    assertRefused("{\"a\": \"1\"}", "not in a known model format");
    assertRefused("{\"a\": 1, \"a\": 2}", "byte");
    assertRefused("{\"\": 1}", "feature 0: its name is empty");
    assertRefused("{\"a\": 1e999}", "weight 0: Infinity");
    assertRefused("{\"a\": NaN}", "weight 0: NaN");
    assertRefused("{\"a\": 1} {}", "byte");
  }

  @Test
  void xgBoost() {
    TreeEnsemble linear = read(XGBOOST_LINEAR);
    assertEquals(List.of("f0", "f1"), linear.featureNames());
    assertEquals(2.25 + 3 * 2 - 0.5 * 4, score(linear, 2, 4));
    assertEquals(2.25, score(linear, Float.NaN, Float.NaN));
  }

  @Test
  void xgBoostTraps() {
    assertRefused(with(XGBOOST_LINEAR, "3E0,", ""), "weights: found 2, expected 3");
    assertRefused(with(XGBOOST_LINEAR, "3E0,", "NaN,"), "weight 0: NaN");
    assertRefused(with(XGBOOST_LINEAR, "2.5E-1", "1e39"), "initial score");
    assertRefused(
        "[{\"bias\":[1],\"weight\":[2]}]",
        "tree 0, bias: dumps of gblinear models are not supported");
    assertRefused(with(XGBOOST_LINEAR, "gblinear", "gbtree"), "its name is not gblinear");
    assertRefused(
        with(XGBOOST_LINEAR, "\"num_class\":\"0\"", "\"num_class\":\"3\""),
        "num_class 3, reg:squarederror: several outputs");
  }

  @Test
  void limits() {
    for (String model : List.of(RANKLIB_LINEAR, LINEAR, XGBOOST_LINEAR)) {
      InvalidModelException e =
          Assertions.assertThrows(
              InvalidModelException.class,
              () -> ModelReader.read(SmallModels.bytes(model), ModelFormat.AUTO, FEW));
      assertEquals(EnsembleLimits.Limit.FEATURES, e.limit());
      assertFalse(String.valueOf(e.getMessage()).isEmpty());
    }
  }
}
