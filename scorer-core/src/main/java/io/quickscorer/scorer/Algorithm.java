// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

/**
 * The name of a scorer as users write it, in requests, settings and on the command line.
 *
 * <p>Each name is a constant, in this class or in the engine's class. There is one object per name,
 * so names are compared by identity.
 */
public final class Algorithm {
  /**
   * Chooses an engine by the model, the CPU and the batch size. Also uses a GPU if that is faster.
   */
  public static final Algorithm AUTO = new Algorithm("auto", 0);

  /** Chooses an engine by the model, the CPU and the batch size. Uses the CPU only. */
  public static final Algorithm CPU = new Algorithm("cpu", 0);

  /** The reference engine, which follows each tree from its root through node objects. */
  public static final Algorithm OBJECT = new Algorithm("object", 0);

  /** The engine for linear models, which adds one term after the other. */
  public static final Algorithm LINEAR = new Algorithm("linear", 0);

  /** The QuickScorer engine, one document at a time, without vectors. */
  public static final Algorithm QS = new Algorithm("qs", 0);

  /** The QuickScorer engine with 128-bit vectors: each lane (part) of a vector has one document. */
  public static final Algorithm VQS_128 = new Algorithm("vqs-128", 128);

  /** The QuickScorer engine with 256-bit vectors: each lane (part) of a vector has one document. */
  public static final Algorithm VQS_256 = new Algorithm("vqs-256", 256);

  /** The QuickScorer engine with 512-bit vectors: each lane (part) of a vector has one document. */
  public static final Algorithm VQS_512 = new Algorithm("vqs-512", 512);

  /**
   * The heavy-path engine with 128-bit vectors: tests all splits of a tree at once, for one
   * document.
   */
  public static final Algorithm HEAVY_PATH_128 = new Algorithm("heavypath-128", 128);

  /**
   * The heavy-path engine with 256-bit vectors: tests all splits of a tree at once, for one
   * document.
   */
  public static final Algorithm HEAVY_PATH_256 = new Algorithm("heavypath-256", 256);

  /**
   * The heavy-path engine with 512-bit vectors: tests all splits of a tree at once, for one
   * document.
   */
  public static final Algorithm HEAVY_PATH_512 = new Algorithm("heavypath-512", 512);

  /** The bit-sliced engine without vectors: each of the 64 bits of a long is one document. */
  public static final Algorithm BIT_SLICED = new Algorithm("bitsliced", 0);

  /** The bit-sliced engine with 128-bit vectors: each bit of a vector is one document. */
  public static final Algorithm BIT_SLICED_128 = new Algorithm("bitsliced-128", 128);

  /** The bit-sliced engine with 256-bit vectors: each bit of a vector is one document. */
  public static final Algorithm BIT_SLICED_256 = new Algorithm("bitsliced-256", 256);

  /** The bit-sliced engine with 512-bit vectors: each bit of a vector is one document. */
  public static final Algorithm BIT_SLICED_512 = new Algorithm("bitsliced-512", 512);

  /** Runs QuickScorer on a GPU, if the GPU module is present. */
  public static final Algorithm GPU_QS = new Algorithm("gpu-qs", 0);

  /** Follows trees from their roots on a GPU, if the GPU module is present. */
  public static final Algorithm GPU = new Algorithm("gpu", 0);

  private final String label;
  private final int width;

  /**
   * Creates a name. Called once for each name.
   *
   * @param label the name as users write it, in lower case, unique
   * @param width the vector width in bits; 0 if the engine uses no vectors, or chooses the width
   *     for each batch
   */
  public Algorithm(String label, int width) {
    this.label = label;
    this.width = width;
  }

  /** Returns the name of the algorithm as users write it, in lower case. */
  public String label() {
    return label;
  }

  /** Returns the vector width in bits; 0 if the engine has none, or chooses one for each batch. */
  public int width() {
    return width;
  }

  @Override
  public String toString() {
    return label;
  }
}
