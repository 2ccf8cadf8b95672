// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.knn;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The fields of type {@code knn_vector} that the tests have, by how the plugin stores them. */
enum VectorField {
  LUCENE_L2(true, Numbers.WHOLE, method("lucene", "l2")),
  LUCENE_COSINE(true, Numbers.WHOLE, method("lucene", "cosinesimil")),
  LUCENE_PRODUCT(true, Numbers.WHOLE, method("lucene", "innerproduct")),
  LUCENE_FLOATS(true, Numbers.FRACTIONS, method("lucene", "l2")),
  LUCENE_BYTES(true, Numbers.WHOLE, "\"data_type\":\"byte\"," + method("lucene", "l2")),
  LUCENE_ON_DISK(
      true,
      Numbers.FRACTIONS,
      "\"space_type\":\"l2\",\"mode\":\"on_disk\",\"compression_level\":\"4x\""),
  FAISS_L2(true, Numbers.WHOLE, method("faiss", "l2")),
  FAISS_PRODUCT(true, Numbers.FRACTIONS, method("faiss", "innerproduct")),
  /** Of which the plugin stores vectors of length 1. */
  FAISS_COSINE(true, Numbers.FRACTIONS, method("faiss", "cosinesimil")),
  FAISS_BYTES(true, Numbers.WHOLE, "\"data_type\":\"byte\"," + method("faiss", "l2")),
  FAISS_BITS(true, Numbers.BITS, "\"data_type\":\"binary\"," + method("faiss", "hamming")),
  PLAIN_WHOLE(false, Numbers.WHOLE, "\"data_type\":\"float\""),
  PLAIN_FLOATS(false, Numbers.FRACTIONS, "\"data_type\":\"float\""),
  PLAIN_BYTES(false, Numbers.WHOLE, "\"data_type\":\"byte\""),
  PLAIN_BITS(false, Numbers.BITS, "\"data_type\":\"binary\"");

  /** What a vector's numbers are. */
  enum Numbers {
    /** Small whole ones, of which every sum is exact in float. */
    WHOLE,
    FRACTIONS,
    /** Eight bits each. */
    BITS
  }

  /** How many numbers a vector has. */
  static final int LENGTH = 16;

  final boolean indexed;
  final Numbers numbers;
  private final String mapping;

  VectorField(boolean indexed, Numbers numbers, String mapping) {
    this.indexed = indexed;
    this.numbers = numbers;
    this.mapping = mapping;
  }

  private static String method(String engine, String space) {
    return "\"method\":{\"name\":\"hnsw\",\"engine\":\"%s\",\"space_type\":\"%s\"}"
        .formatted(engine, space);
  }

  /** The index that has it: of vectors that the plugin searches by a method, or of others. */
  String index() {
    return indexed ? "indexed" : "plain";
  }

  String mapping() {
    return "\"%s\":{\"type\":\"knn_vector\",\"dimension\":%s,%s}"
        .formatted(this, numbers == Numbers.BITS ? LENGTH * Byte.SIZE : LENGTH, mapping);
  }

  /** A vector that the field takes. */
  List<Number> vector(SplittableRandom random) {
    List<Number> vector = new ArrayList<>();
    for (int i = 0; i < LENGTH; i++) {
      vector.add(
          switch (numbers) {
            case WHOLE -> random.nextInt(-9, 10);
            case FRACTIONS -> (float) random.nextGaussian();
            case BITS -> (int) (byte) random.nextInt();
          });
    }
    return vector;
  }

  /** Whether sums over its vectors are exact, whoever computes them. */
  boolean isExact() {
    return numbers != Numbers.FRACTIONS;
  }
}
