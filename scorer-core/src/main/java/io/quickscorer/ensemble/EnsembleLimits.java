// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

/**
 * Upper bounds a model must respect, checked before anything of its size is allocated.
 *
 * @param maxTrees trees of the ensemble
 * @param maxLeaves leaves of one tree
 * @param maxDepth splits on the longest path of one tree
 * @param maxFeatures features the model names
 * @param maxNodes splits and leaves of all trees
 * @param maxCategory largest category of a categorical split; sets take memory for their members
 *     alone, but floats are not every integer beyond 2^24
 */
public record EnsembleLimits(
    int maxTrees, int maxLeaves, int maxDepth, int maxFeatures, int maxNodes, int maxCategory) {

  /** The limits used where nobody sets others; they are ours, not the formats'. */
  public static final EnsembleLimits DEFAULT =
      new EnsembleLimits(100_000, 65_536, 4_096, 1 << 20, 50_000_000, 1 << 24);

  /** The names of the limits, by which a caller tells users what to raise. */
  public enum Limit {
    TREES,
    LEAVES,
    DEPTH,
    FEATURES,
    NODES,
    CATEGORY
  }

  /** Returns these limits with one of them replaced. */
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
   * @param what where and what was counted, for the message
   * @throws InvalidModelException that names the limit, if more was found than it allows
   */
  public void check(String what, long found, Limit limit) {
    if (found > bound(limit)) {
      throw new InvalidModelException(
          what + ": " + found + ", at most " + bound(limit) + " allowed", limit);
    }
  }
}
