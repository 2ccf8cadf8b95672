// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.matrix.FeatureMatrix;
import java.util.SplittableRandom;

/** A batch put together from documents whose scores are known. One thread at a time. */
final class Batch {
  private final FeatureMatrix matrix;
  private final double[] expected;

  Batch(int features, int capacity) {
    this.matrix = new FeatureMatrix(features, capacity);
    this.expected = new double[capacity];
  }

  FeatureMatrix matrix() {
    return matrix;
  }

  double expected(int document) {
    return expected[document];
  }

  /** Fills the padding too, as a batch before would have; else it is zeros. */
  void fillAll(Documents from) {
    float[] values = from.matrix().values();
    for (int i = 0; i < matrix.values().length && values.length > 0; i++) {
      matrix.values()[i] = values[i % values.length];
    }
  }

  /** Takes so many documents in a row from some place on. */
  void fill(SplittableRandom random, Documents from, int documents) {
    matrix.reset(documents);
    for (int done = 0; done < documents; ) {
      int start = random.nextInt(from.size());
      int count = Math.min(documents - done, from.size() - start);
      for (int f = 0; f < matrix.features(); f++) {
        System.arraycopy(
            from.matrix().values(),
            from.matrix().column(f) + start,
            matrix.values(),
            matrix.column(f) + done,
            count);
      }
      System.arraycopy(from.expected(), start, expected, done, count);
      done += count;
    }
  }

  /** Puts one document in the place of another. */
  void put(int document, Documents from, int which) {
    for (int f = 0; f < matrix.features(); f++) {
      matrix.set(document, f, from.matrix().get(which, f));
    }
    expected[document] = from.expected()[which];
  }
}
