// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class GeneratedShopTest {
  private static final Corpus SHOP = GeneratedShop.generate(2_000, 300);

  @Test
  void shopIsTheSameEveryTime() {
    assertEquals(SHOP, GeneratedShop.generate(2_000, 300));
    assertEquals(300, SHOP.queries().stream().map(JudgedQuery::text).distinct().count());
  }

  @Test
  void everyGradeIsGivenAndEveryQueryHasAGoodAnswer() {
    Map<Integer, Long> grades =
        SHOP.queries().stream()
            .flatMap(query -> query.judgments().values().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertEquals(4, grades.size(), grades::toString);
    assertTrue(SHOP.queries().stream().allMatch(JudgedQuery::hasGoodAnswer));
  }

  @Test
  void clicksAreNoisyButTellGradesApart() {
    double[] sum = new double[4];
    int[] count = new int[4];
    int wrong = 0;
    for (JudgedQuery query : SHOP.queries()) {
      for (Map.Entry<String, Integer> label : query.labels().entrySet()) {
        int grade = query.grade(label.getKey());
        sum[grade] += label.getValue();
        count[grade]++;
        wrong += label.getValue() == grade ? 0 : 1;
      }
    }
    for (int grade = 1; grade < 4; grade++) {
      assertTrue(
          sum[grade] / count[grade] > sum[grade - 1] / count[grade - 1] + 0.3, "grade " + grade);
    }
    assertTrue(wrong > 100, "labels that differ from the grade: " + wrong);
  }
}
