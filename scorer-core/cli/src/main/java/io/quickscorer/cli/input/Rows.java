// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Documents of a data file, one after the other. */
public interface Rows extends AutoCloseable {
  /**
   * The next document.
   *
   * @return one value per feature of the model, NaN where missing, valid until the next call; null
   *     after the last document
   */
  float @Nullable [] next() throws IOException, Failure;

  /**
   * Puts the next documents into a matrix, and zeros into the rest of its rows.
   *
   * @param most documents the matrix has room for
   * @return how many there were; 0 after the last document
   */
  default int fill(FeatureMatrix matrix, int most) throws IOException, Failure {
    matrix.reset(most);
    int documents = 0;
    float[] row;
    while (documents < most && (row = next()) != null) {
      for (int f = 0; f < row.length; f++) {
        matrix.set(documents, f, row[f]);
      }
      documents++;
    }
    for (int d = documents; d < most; d++) {
      for (int f = 0; f < matrix.features(); f++) {
        matrix.set(d, f, 0);
      }
    }
    return documents;
  }

  @Override
  void close() throws IOException;
}
