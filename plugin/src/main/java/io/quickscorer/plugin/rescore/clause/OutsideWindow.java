// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import java.util.Locale;
import org.apache.lucene.util.NumericUtils;

/** The treatment of the hits beyond the window, which the model has not scored. */
public enum OutsideWindow {
  /**
   * They come after all rescored hits, of every shard, in the order of their first-pass scores.
   *
   * <p>For that their scores are coded into the lowest floats, below {@link #LOWEST_RESCORED}: the
   * same first-pass score gives the same code on every shard, and a higher one a higher code (the
   * three lowest bits of a score do not count; hits that differ in them alone keep the order they
   * had within their shard).
   */
  KEEP_BELOW,
  /** They keep their first-pass scores and are sorted in among the rescored hits. */
  MIX,
  /** They are no hits any more, though they still count in the total. */
  DROP;

  /** No rescored hit scores lower than this, so none falls among the hits beyond the window. */
  public static final float LOWEST_RESCORED = -0x1p64f;

  /** Sortable bits of the highest code, the float just below {@link #LOWEST_RESCORED}. */
  private static final int HIGHEST_CODE = NumericUtils.floatToSortableInt(LOWEST_RESCORED) - 1;

  private static final int DROPPED_BITS = 3;

  /** Returns the score by which a hit with this first-pass score is sorted. */
  public float score(float firstPass) {
    return score(firstPass, 0, 1);
  }

  /**
   * Returns the score of a hit outside the window. Each kind of such hits has its own range of
   * scores below the previous kind's, so that hits which a later stage dropped rank above hits that
   * did not reach it. The ranges cost precision: scores that differ only in their last 4 bits (2
   * kinds) or 5 bits (3 or 4 kinds) become equal.
   *
   * @param kind 0 for the kind with the highest scores
   * @param kinds number of kinds
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

  static OutsideWindow of(String label) {
    for (OutsideWindow value : values()) {
      if (value.toString().equals(label)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "[outside_window] must be one of keep_below, mix, drop, not [" + label + "]");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
