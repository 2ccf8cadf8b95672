// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Upper bounds a model must respect, checked before anything of its size is allocated.
 *
 * @param maxTrees trees of the ensemble
 * @param maxLeaves leaves of one tree
 * @param maxDepth splits on the longest path of one tree
 * @param maxFeatures features of the model
 * @param maxNodes splits and leaves of all trees
 * @param maxCategory largest category of a categorical split; sets take memory for their members
 *     only, but floats do not represent every integer beyond 2^24
 */
public record EnsembleLimits(
    int maxTrees, int maxLeaves, int maxDepth, int maxFeatures, int maxNodes, int maxCategory) {

  /** The default limits, set by this library and not by the formats. */
  public static final EnsembleLimits DEFAULT =
      new EnsembleLimits(100_000, 65_536, 4_096, 1 << 20, 50_000_000, 1 << 24);

  /** The limits by name, so that a caller can tell users which one to raise. */
  public enum Limit {
    TREES,
    LEAVES,
    DEPTH,
    FEATURES,
    NODES,
    CATEGORY
  }

  /** Returns these limits with one replaced. */
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
   * Checks a count against a limit.
   *
   * @param what the place and the thing counted, for the message
   * @throws InvalidModelException that names the limit, if {@code found} exceeds it
   */
  public void check(String what, long found, Limit limit) {
    if (found > bound(limit)) {
      throw new InvalidModelException(
          what + ": " + found + ", at most " + bound(limit) + " allowed", limit);
    }
  }
}
