// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.quality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.train.data.JudgedQuery;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NdcgTest {
  private static final JudgedQuery QUERY =
      JudgedQuery.of("1", "a", Map.of("a", 3, "b", 2, "c", 1, "d", 0));

  @Test
  void idealOrderIsOne() {
    assertEquals(1, Ndcg.DEFAULT.of(QUERY, List.of("a", "b", "c", "d")));
  }

  @Test
  void valueIsThatOfTheFormula() {
    // Gains 7, 3, 1 at positions 1, 2, 3 have the discounts 1, log2(3), 2; here d, c, a stand
    // first.
    double ideal = 7 + 3 / (Math.log(3) / Math.log(2)) + 0.5;
    double found = 1 / (Math.log(3) / Math.log(2)) + 7 / 2.0;
    assertEquals(found / ideal, Ndcg.DEFAULT.of(QUERY, List.of("d", "c", "a")), 1e-15);
  }

  @Test
  void onlyTenPositionsCount() {
    List<String> eleven = List.of("u", "u", "u", "u", "u", "u", "u", "u", "u", "u", "a");
    assertEquals(0, Ndcg.DEFAULT.of(QUERY, eleven));
    assertEquals(0, Ndcg.DEFAULT.of(QUERY, List.of()));
  }

  @Test
  void queryWithoutAGoodAnswerHasNoValue() {
    JudgedQuery hopeless = JudgedQuery.of("2", "b", Map.of("a", 0));
    assertThrows(IllegalArgumentException.class, () -> Ndcg.DEFAULT.of(hopeless, List.of("a")));
  }

  @Test
  void theGainIsWhatTheTrainerIsTold() {
    List<String> ranking = List.of("c", "a");
    double second = 1 / (Math.log(3) / Math.log(2));
    Ndcg linear = Ndcg.of(2, Map.of("ndcg_exp_gain", "false"));
    assertEquals((1 + 3 * second) / (3 + 2 * second), linear.of(QUERY, ranking), 1e-15);
    assertEquals(linear, Ndcg.of(2, Map.of("eval_metric", "NDCG:top=2;type=Base")));
    Ndcg own = Ndcg.of(2, Map.of("label_gain", "0, 1,10,100"));
    assertEquals((1 + 100 * second) / (100 + 10 * second), own.of(QUERY, ranking), 1e-15);
    own.check(List.of(QUERY));
    Ndcg few = Ndcg.of(2, Map.of("label_gain", "0,1,10"));
    assertThrows(IllegalStateException.class, () -> few.check(List.of(QUERY)));
    assertThrows(IllegalStateException.class, () -> Ndcg.of(2, Map.of("label_gain", "much")));
    for (String gains : List.of("1,2,3,4", "0,0,1,3", "0,2,1,3", "0,1,NaN,3", "0,1,2,Infinity")) {
      Ndcg odd = Ndcg.of(2, Map.of("label_gain", gains));
      assertThrows(IllegalStateException.class, () -> odd.check(List.of(QUERY)), gains);
    }
  }
}
