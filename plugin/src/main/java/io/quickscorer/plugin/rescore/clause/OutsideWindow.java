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

  /** The score by which a hit with this first-pass score is sorted. */
  public float score(float firstPass) {
    return score(firstPass, 0, 1);
  }

  /**
   * Returns the score of a hit if there are several kinds of such hits, one after the other: those
   * that one of a clause's stages does not keep stand by its scores above those that have not
   * reached it. They share the codes, so that for 2 kinds 4 bits of a score do not count, and 5 for
   * 3 or 4.
   *
   * @param kind 0 for the first
   * @param kinds how many there are
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
