// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * The name of a scorer as users write it, in requests, settings and on the command line.
 *
 * <p>Each engine's name is a constant, here or in the engine's class; the table of engines finds
 * them by label. There is one object per name, so names are compared by identity.
 */
public final class Algorithm {
  /** Picks by shape, CPU and number of documents; uses other hardware where that is faster. */
  public static final Algorithm AUTO = new Algorithm("auto", 0);

  /** Picks by shape, CPU and number of documents, and never uses other hardware. */
  public static final Algorithm CPU = new Algorithm("cpu", 0);

  /** Node objects with references; the reference. */
  public static final Algorithm OBJECT = new Algorithm("object", 0);

  /** Linear models, term by term; the only engine for them apart from the reference. */
  public static final Algorithm LINEAR = new Algorithm("linear", 0);

  /** QuickScorer. */
  public static final Algorithm QS = new Algorithm("qs", 0);

  /** QuickScorer with one document per lane, 128-bit vectors. */
  public static final Algorithm VQS_128 = new Algorithm("vqs-128", 128);

  /** QuickScorer with one document per lane, 256-bit vectors. */
  public static final Algorithm VQS_256 = new Algorithm("vqs-256", 256);

  /** QuickScorer with one document per lane, 512-bit vectors. */
  public static final Algorithm VQS_512 = new Algorithm("vqs-512", 512);

  /** All splits of a tree at once, one document at a time, 128-bit vectors. */
  public static final Algorithm HEAVY_PATH_128 = new Algorithm("heavypath-128", 128);

  /** All splits of a tree at once, one document at a time, 256-bit vectors. */
  public static final Algorithm HEAVY_PATH_256 = new Algorithm("heavypath-256", 256);

  /** All splits of a tree at once, one document at a time, 512-bit vectors. */
  public static final Algorithm HEAVY_PATH_512 = new Algorithm("heavypath-512", 512);

  /** Documents as bits, 64 to a long. */
  public static final Algorithm BIT_SLICED = new Algorithm("bitsliced", 0);

  /** Documents as bits of 128-bit vectors. */
  public static final Algorithm BIT_SLICED_128 = new Algorithm("bitsliced-128", 128);

  /** Documents as bits of 256-bit vectors. */
  public static final Algorithm BIT_SLICED_256 = new Algorithm("bitsliced-256", 256);

  /** Documents as bits of 512-bit vectors. */
  public static final Algorithm BIT_SLICED_512 = new Algorithm("bitsliced-512", 512);

  /** QuickScorer on a GPU, if the GPU module is present. */
  public static final Algorithm GPU_QS = new Algorithm("gpu-qs", 0);

  /** Quantised traversal on a GPU, if the GPU module is present. */
  public static final Algorithm GPU = new Algorithm("gpu", 0);

  private final String label;
  private final int width;

  /**
   * @param label in lower case, unique
   * @param width bits of its vectors; 0 if it has none, or picks the width that suits a batch
   */
  public Algorithm(String label, int width) {
    this.label = label;
    this.width = width;
  }

  /** Returns the name as users write it. */
  public String label() {
    return label;
  }

  /** Returns the bits of its vectors; 0 if it has none, or picks the width that suits a batch. */
  public int width() {
    return width;
  }

  @Override
  public String toString() {
    return label;
  }
}
