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
  void documentsOfAnotherMatrixAreCopied() {
    FeatureMatrix from = FeatureMatrix.ofRows(new float[] {1, 10, 2, 20, 3, 30}, 2);
    FeatureMatrix to = new FeatureMatrix(2, 3);
    to.setFrom(from, 1, 2);
    assertEquals(2, to.documents());
    assertEquals(3, to.get(1, 0));
    assertEquals(20, to.get(0, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> to.setFrom(from, 2, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> to.setFrom(from, -1, 2));
    assertThrows(IllegalArgumentException.class, () -> to.setFrom(to, 0, 1));
    assertEquals(2, to.documents());
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
