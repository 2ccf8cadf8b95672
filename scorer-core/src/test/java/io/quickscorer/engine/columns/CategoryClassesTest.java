// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.columns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quickscorer.engine.columns.CategoryClasses.Predicate;
import io.quickscorer.ensemble.CategorySet;
import io.quickscorer.ensemble.MissingValue;
import io.quickscorer.scorer.CompileProgress;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many different sets of one feature, each of one category: as many classes as sets. */
final class CategoryClassesTest {
  private static List<Predicate> sets(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            c ->
                new Predicate(
                    CategorySet.of(new int[] {c}, CategorySet.Rounding.NEGATIVE_IS_NONE),
                    MissingValue.NAN_RIGHT))
        .toList();
  }

  @Test
  void eachClassHasItsRow() {
    CategoryClasses classes = new CategoryClasses(0, 0, sets(100), CompileProgress.NONE);
    byte[] row = new byte[13];
    for (int c = 0; c < 100; c++) {
      classes.row(c, row, 0);
      long[] bits = {0, 0};
      for (int p = 0; p < 100; p++) {
        bits[p >> 6] |= (long) (row[p >> 3] >> (p & 7) & 1) << (p & 63);
      }
      assertEquals(
          List.of(c),
          IntStream.range(0, 100).filter(p -> (bits[p >> 6] >> p & 1) == 0).boxed().toList());
    }
  }

  @Test
  void itStopsWhenNobodyWaits() {
    int[] asked = {0};
    CompileProgress progress = CompileProgress.of(share -> {}, () -> ++asked[0] == 50);
    assertThrows(CancellationException.class, () -> new CategoryClasses(0, 0, sets(100), progress));
  }
}
