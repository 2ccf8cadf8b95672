// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * The limits of a model's size. A reader checks a count before it allocates memory for it.
 *
 * @param maxTrees the maximum number of trees of the ensemble
 * @param maxLeaves the maximum number of leaves of a tree
 * @param maxDepth the maximum number of splits on a path from a tree's root to a leaf
 * @param maxFeatures the maximum number of features of the model
 * @param maxNodes the maximum number of splits and leaves of all trees together
 * @param maxCategory the largest category of a categorical split; floats represent all integers
 *     exactly only up to 2^24
 */
public record EnsembleLimits(
    int maxTrees, int maxLeaves, int maxDepth, int maxFeatures, int maxNodes, int maxCategory) {

  /** The default limits. This library chooses them, because the formats have no limits. */
  public static final EnsembleLimits DEFAULT =
      new EnsembleLimits(100_000, 65_536, 4_096, 1 << 20, 50_000_000, 1 << 24);

  /** Names of the limits, so that a message can contain the name of the limit to raise. */
  public enum Limit {
    TREES,
    LEAVES,
    DEPTH,
    FEATURES,
    NODES,
    CATEGORY
  }

  /** Returns a copy of these limits in which one limit has another value. */
  public EnsembleLimits with(Limit limit, int bound) {
    return new EnsembleLimits(
        limit == Limit.TREES ? bound : maxTrees,
        limit == Limit.LEAVES ? bound : maxLeaves,
        limit == Limit.DEPTH ? bound : maxDepth,
        limit == Limit.FEATURES ? bound : maxFeatures,
        limit == Limit.NODES ? bound : maxNodes,
        limit == Limit.CATEGORY ? bound : maxCategory);
  }

  private int bound(Limit limit) {
    return switch (limit) {
      case TREES -> maxTrees;
      case LEAVES -> maxLeaves;
      case DEPTH -> maxDepth;
      case FEATURES -> maxFeatures;
      case NODES -> maxNodes;
      case CATEGORY -> maxCategory;
    };
  }

  /**
   * Checks that a count does not exceed a limit.
   *
   * @param what the place in the model and the name of the count, for the message
   * @throws InvalidModelException if {@code found} exceeds the limit; the exception contains the
   *     limit
   */
  public void check(String what, long found, Limit limit) {
    if (found > bound(limit)) {
      throw new InvalidModelException(
          what + ": " + found + ", at most " + bound(limit) + " allowed", limit);
    }
  }

  /**
   * Checks that a count, which is at a byte offset of the file, does not exceed a limit.
   *
   * @throws InvalidModelException if {@code found} exceeds the limit; the exception contains the
   *     limit and the offset
   */
  public void check(String what, long found, Limit limit, long offset) {
    try {
      check(what, found, limit);
    } catch (InvalidModelException e) {
      throw e.at(offset);
    }
  }
}
