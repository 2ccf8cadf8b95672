package io.quickscorer.ensemble;

/**
 * Upper bounds a model must respect, checked before anything of its size is allocated.
 *
 * @param maxTrees trees of the ensemble
 * @param maxLeaves leaves of one tree
 * @param maxDepth splits on the longest path of one tree
 * @param maxFeatures features the model names
 * @param maxNodes splits and leaves of all trees
 * @param maxCategory largest category of a categorical split
 */
public record EnsembleLimits(
    int maxTrees, int maxLeaves, int maxDepth, int maxFeatures, int maxNodes, int maxCategory) {

  /** The limits used where nobody sets others. */
  public static final EnsembleLimits DEFAULT =
      new EnsembleLimits(100_000, 65_536, 4_096, 100_000, 50_000_000, 1 << 20);

  void check(String what, long found, int limit) {
    if (found > limit) {
      throw new InvalidModelException(what + ": " + found + ", at most " + limit + " allowed");
    }
  }
}
