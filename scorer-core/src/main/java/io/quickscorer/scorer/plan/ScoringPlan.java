package io.quickscorer.scorer.plan;

import io.quickscorer.scorer.Algorithm;

/**
 * How an ensemble is scored: plain data that can be printed, stored and prescribed.
 *
 * @param algorithm the engine
 * @param treesPerUnit trees of the engine's scorers, the papers' tau; 1 where a scorer is a tree
 * @param order nesting of the loops
 * @param documents documents per document block, 1 or more; without meaning for DS and SDS
 * @param units scorers per scorer block, 1 or more; without meaning for DS and DSD
 */
public record ScoringPlan(
    Algorithm algorithm, int treesPerUnit, LoopOrder order, int documents, int units) {
  public ScoringPlan {
    if (treesPerUnit < 1 || documents < 1 || units < 1) {
      throw new IllegalArgumentException(
          "plan of " + treesPerUnit + " trees, " + documents + " documents, " + units + " scorers");
    }
  }

  @Override
  public String toString() {
    return algorithm
        + " tau="
        + treesPerUnit
        + " "
        + order
        + switch (order) {
          case DS -> "";
          case DSD -> " d=" + documents;
          case SDS -> " s=" + units;
          case DSDS, SDSD -> " d=" + documents + " s=" + units;
        };
  }
}
