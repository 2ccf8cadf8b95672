// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import java.util.Locale;
import org.apache.lucene.util.NumericUtils;

/**
 * The handling of hits that are beyond the window. The window is the list of the best hits, which
 * the model ranks.
 */
public enum OutsideWindow {
  /**
   * The hits that the model did not rank come after all ranked hits of every shard. They are in the
   * order of their scores from the search's own query.
   *
   * <p>Each of these scores is mapped to a float below {@link #LOWEST_RESCORED}. The mapping is
   * equal on all shards and keeps the order, except that the three lowest bits of a score are lost.
   * Hits whose scores differ only in these bits keep the order that they have within their shard.
   */
  KEEP_BELOW,
  /**
   * The hits that the model did not rank keep their scores from the search's own query, and are
   * sorted together with the ranked hits.
   */
  MIX,
  /**
   * The hits that the model did not rank are removed, but are included in the total number of hits.
   */
  DROP;

  /**
   * The lowest score that a hit ranked by the model can have. With {@link #KEEP_BELOW}, the scores
   * of other hits are lower.
   */
  public static final float LOWEST_RESCORED = -0x1p64f;

  /**
   * The greatest float below {@link #LOWEST_RESCORED}, converted to an integer that compares like
   * the float.
   */
  private static final int HIGHEST_CODE = NumericUtils.floatToSortableInt(LOWEST_RESCORED) - 1;

  private static final int DROPPED_BITS = 3;

  /**
   * Returns the score by which a hit is sorted that the model did not rank.
   *
   * @param firstPass the hit's score from the search's own query
   */
  public float score(float firstPass) {
    return score(firstPass, 0, 1);
  }

  /**
   * Returns the score by which a hit is sorted that the model did not rank, if there are several
   * kinds of such hits. Each kind has its own range of scores, so that hits of a later stage rank
   * above hits that did not reach this stage. Scores that differ only in their last 4 or 5 bits
   * become equal.
   *
   * @param score the hit's score without this mapping
   * @param kind 0 for the kind with the highest scores
   * @param kinds the number of kinds
   */
  public float score(float score, int kind, int kinds) {
    if (this == MIX) {
      return score;
    }
    int dropped = DROPPED_BITS + Integer.SIZE - Integer.numberOfLeadingZeros(kinds - 1);
    int below =
        (Integer.MAX_VALUE >> dropped) - (NumericUtils.floatToSortableInt(score) >> dropped);
    return NumericUtils.sortableIntToFloat(
        HIGHEST_CODE - (kind << (Integer.SIZE - dropped)) - below);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
