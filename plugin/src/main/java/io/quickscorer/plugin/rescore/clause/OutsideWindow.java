// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import java.util.Locale;
import org.apache.lucene.util.NumericUtils;

/** The handling of the hits beyond the window, which the model has not scored. */
public enum OutsideWindow {
  /**
   * The hits come after all rescored hits of every shard, in the order of their first-pass scores.
   *
   * <p>Each first-pass score is mapped to a float below {@link #LOWEST_RESCORED}. The mapping is
   * equal on all shards and keeps the order, except that it drops the three lowest bits of a score;
   * hits whose scores differ only in these bits keep the order that they have within their shard.
   */
  KEEP_BELOW,
  /** The hits keep their first-pass scores and are sorted together with the rescored hits. */
  MIX,
  /** The hits beyond the window are removed, but still count in the total number of hits. */
  DROP;

  /** The lowest score of a rescored hit; the scores of {@link #KEEP_BELOW} are lower. */
  public static final float LOWEST_RESCORED = -0x1p64f;

  /** The greatest float below {@link #LOWEST_RESCORED}, as an integer that compares like it. */
  private static final int HIGHEST_CODE = NumericUtils.floatToSortableInt(LOWEST_RESCORED) - 1;

  private static final int DROPPED_BITS = 3;

  /**
   * Returns the score by which a hit beyond the window is sorted.
   *
   * @param firstPass its first-pass score
   */
  public float score(float firstPass) {
    return score(firstPass, 0, 1);
  }

  /**
   * Returns the score by which a hit beyond the window is sorted, if there are several kinds of
   * such hits. Each kind has its own range of scores, so that hits which a later stage dropped rank
   * above hits that did not reach it. Scores that differ only in their last 4 or 5 bits become
   * equal.
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
