// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class FeatureMatrixTest {
  @Test
  void rowsBecomeColumns() {
    for (int documents : new int[] {0, 1, 15, 16, 17, 64, 65}) {
      for (int features : new int[] {1, 3, 40}) {
        float[] rows = new float[documents * features];
        for (int i = 0; i < rows.length; i++) {
          rows[i] = i;
        }
        FeatureMatrix matrix = FeatureMatrix.ofRows(rows, features);
        assertEquals(documents, matrix.documents());
        for (int d = 0; d < documents; d++) {
          for (int f = 0; f < features; f++) {
            assertEquals(rows[d * features + f], matrix.get(d, f));
          }
        }
      }
    }
  }

  @Test
  void rowsOfAnotherNumberAreRefused() {
    FeatureMatrix matrix = new FeatureMatrix(3, 5);
    matrix.reset(4);
    matrix.setRows(new float[12]);
    assertThrows(IllegalArgumentException.class, () -> matrix.setRows(new float[15]));
    assertThrows(IllegalArgumentException.class, () -> matrix.setRows(new float[9]));
  }
}
