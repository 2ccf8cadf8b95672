// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FeatureRowsTest {
  @Test
  void featuresThatAllRowsHaveAlikeAreNamed() {
    JudgedQuery query = JudgedQuery.of("q", "q", Map.of("a", 1));
    List<float[]> rows =
        List.of(new float[] {Float.NaN, 1, 2, 0}, new float[] {Float.NaN, 1, 3, Float.NaN});
    FeatureRows.Hits hits = new FeatureRows.Hits(query, List.of("a", "b"), rows);
    assertEquals(
        Map.of("x", "feature [x] is missing in all rows", "y", "feature [y] is 1.0 in all rows"),
        FeatureRows.alike(List.of(hits), List.of("x", "y", "z", "w")));
  }
}
