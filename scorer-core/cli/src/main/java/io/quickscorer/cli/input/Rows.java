// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.matrix.FeatureMatrix;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the documents of a data file one after the other. */
public interface Rows extends AutoCloseable {
  /**
   * Returns the feature values of the next document, NaN for a missing value; null after the last
   * document. The array is valid until the next call.
   */
  float @Nullable [] next() throws IOException, Failure;

  /**
   * Fills a matrix with the next documents, and the rest of the matrix with 0. Returns the number
   * of documents that were read; 0 after the last one.
   *
   * @param max maximum number of documents
   */
  default int fill(FeatureMatrix matrix, int max) throws IOException, Failure {
    matrix.reset(max);
    int documents = 0;
    float[] row;
    while (documents < max && (row = next()) != null) {
      for (int f = 0; f < row.length; f++) {
        matrix.set(documents, f, row[f]);
      }
      documents++;
    }
    for (int d = documents; d < max; d++) {
      for (int f = 0; f < matrix.features(); f++) {
        matrix.set(d, f, 0);
      }
    }
    return documents;
  }

  @Override
  void close() throws IOException;
}
