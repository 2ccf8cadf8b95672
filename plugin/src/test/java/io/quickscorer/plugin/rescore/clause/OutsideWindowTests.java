// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import java.util.Arrays;
import org.opensearch.test.OpenSearchTestCase;

public class OutsideWindowTests extends OpenSearchTestCase {
  public void testCodesKeepTheOrderAndStayBelow() {
    float[] scores = new float[10_000];
    for (int i = 0; i < scores.length; i++) {
      float any = Float.intBitsToFloat(randomInt());
      scores[i] = Float.isNaN(any) ? i / 100f : any;
    }
    scores[0] = Float.MAX_VALUE;
    scores[1] = -Float.MAX_VALUE;
    scores[2] = 0f;
    scores[3] = -0f;
    scores[4] = Float.POSITIVE_INFINITY;
    scores[5] = Float.NEGATIVE_INFINITY;
    Arrays.sort(scores);
    float last = Float.NEGATIVE_INFINITY;
    for (float score : scores) {
      float code = OutsideWindow.KEEP_BELOW.score(score);
      assertTrue(Float.isFinite(code));
      assertTrue(code < OutsideWindow.LOWEST_RESCORED);
      assertTrue(code >= last);
      assertEquals(score, OutsideWindow.MIX.score(score), 0);
      last = code;
    }
    // What differs by more than the dropped bits has codes that differ.
    assertTrue(OutsideWindow.KEEP_BELOW.score(1.00001f) > OutsideWindow.KEEP_BELOW.score(1f));
    // A hit of a chain that is beyond the window twice stays in order too.
    assertTrue(
        OutsideWindow.KEEP_BELOW.score(OutsideWindow.KEEP_BELOW.score(2f))
            > OutsideWindow.KEEP_BELOW.score(OutsideWindow.KEEP_BELOW.score(1f)));
  }

  public void testKindsOfHitsStandOneBelowTheOther() {
    for (int kinds = 2; kinds <= ClauseOptions.MAX_STAGES; kinds++) {
      float least = OutsideWindow.LOWEST_RESCORED;
      for (int kind = 0; kind < kinds; kind++) {
        float[] scores = {
          Float.POSITIVE_INFINITY, Float.MAX_VALUE, 1.0001f, 1, 0, -1, -Float.MAX_VALUE
        };
        for (float score : scores) {
          float code = OutsideWindow.KEEP_BELOW.score(score, kind, kinds);
          assertTrue(Float.isFinite(code));
          assertTrue(kind + " of " + kinds + ": " + score, code < least);
          least = code;
        }
      }
    }
  }

  public void testCombinedScoresAreFiniteAndNeverAmongTheCodes() {
    double[] models = {
      0, -1, 1e300, -1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
    };
    for (ScoreCombination.Mode mode : ScoreCombination.Mode.values()) {
      for (double model : models) {
        for (float first : new float[] {0, 3, -2, Float.MAX_VALUE}) {
          float score = new ScoreCombination(mode, 1, 1).combine(first, model);
          assertTrue(Float.isFinite(score));
          assertTrue(score >= OutsideWindow.LOWEST_RESCORED);
          assertTrue(score < ScoreCombination.TIME_IS_UP);
        }
      }
    }
  }
}
