package io.quickscorer.scorer;

import java.util.Locale;

/** The names of scorers that users may write, in requests, settings and on the command line. */
public enum Algorithm {
  /** Picks by shape, CPU and number of documents. */
  AUTO("auto"),
  /** Node objects with references; the reference. */
  OBJECT("object"),
  /** Plain flat-array walk; takes every ensemble. */
  STRUCT_PLUS("struct+"),
  /** QuickScorer. */
  QS("qs"),
  /** QuickScorer with one document per lane, 128-bit vectors. */
  VQS_128("vqs-128"),
  /** QuickScorer with one document per lane, 256-bit vectors. */
  VQS_256("vqs-256"),
  /** QuickScorer with one document per lane, 512-bit vectors. */
  VQS_512("vqs-512"),
  /** Documents as bits, 64 to a long. */
  BIT_SLICED("bitsliced"),
  /** Documents as bits of 128-bit vectors. */
  BIT_SLICED_128("bitsliced-128"),
  /** Documents as bits of 256-bit vectors. */
  BIT_SLICED_256("bitsliced-256"),
  /** Documents as bits of 512-bit vectors. */
  BIT_SLICED_512("bitsliced-512"),
  /** QuickScorer on a GPU, if a module that brings it is there. */
  GPU_QS("gpu-qs"),
  /** Quantised traversal on a GPU, if a module that brings it is there. */
  GPU("gpu");

  private final String label;

  Algorithm(String label) {
    this.label = label;
  }

  /** The name as users write it. */
  public String label() {
    return label;
  }

  /**
   * The algorithm of that name.
   *
   * @throws IllegalArgumentException naming the possible ones
   */
  public static Algorithm of(String label) {
    for (Algorithm algorithm : values()) {
      if (algorithm.label.equals(label.toLowerCase(Locale.ROOT))) {
        return algorithm;
      }
    }
    StringBuilder known = new StringBuilder();
    for (Algorithm algorithm : values()) {
      known.append(known.isEmpty() ? "" : ", ").append(algorithm.label);
    }
    throw new IllegalArgumentException("unknown algorithm, expected one of " + known);
  }

  @Override
  public String toString() {
    return label;
  }
}
