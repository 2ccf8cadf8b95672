// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import org.apache.lucene.search.Explanation;
import org.apache.lucene.util.NumericUtils;

/** The handling of unranked hits. A model ranks only the best hits of the search's own query. */
public enum OutsideWindow {
  /**
   * Unranked hits come after all ranked hits of every shard, in the order of their first-pass
   * scores (those of the search's own query).
   *
   * <p>First-pass scores are mapped to floats below {@link #LOWEST_RESCORED}, by the same mapping
   * on all shards. The mapping keeps their order, but loses their three lowest bits.
   */
  KEEP_BELOW,
  /**
   * Unranked hits keep the scores of the search's own query, and are sorted among the ranked ones.
   */
  MIX,
  /** Unranked hits are removed, but counted in the total number of hits. */
  DROP;

  /**
   * The lowest score of a ranked hit. With {@link #KEEP_BELOW}, unranked hits have lower scores.
   */
  public static final float LOWEST_RESCORED = -0x1p64f;

  /**
   * The highest score of an unranked hit with {@link #KEEP_BELOW}, as a sortable int: a higher
   * score is a higher int.
   */
  private static final int HIGHEST_CODE = NumericUtils.floatToSortableInt(LOWEST_RESCORED) - 1;

  private static final int DROPPED_BITS = 3;

  /**
   * Returns the score by which an unranked hit is sorted.
   *
   * @param firstPass the hit's score by the search's own query
   */
  public float score(float firstPass) {
    return score(firstPass, 0, 1);
  }

  /**
   * Returns the score by which to sort a hit that the last {@linkplain BoundClause.Stage stage} did
   * not rank. Hits that reached the same stage are of the same kind. Each kind gets a range of
   * scores of its own; to make room for these ranges, scores lose their lowest 3 to 5 bits.
   *
   * @param score the hit's score before this mapping
   * @param kind the kind's index, 0 for the kind with the highest scores
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

  /**
   * Explains the score of a hit that no model ranked, because it was not among the best hits of the
   * search's own query.
   *
   * @param model the name of the model that ranks the other hits
   * @param firstPass the hit's score by the search's own query
   * @param stages the number of the clause's stages before the last one
   * @param source explains {@code firstPass}
   */
  public Explanation explain(String model, float firstPass, int stages, Explanation source) {
    return this == MIX
        ? source
        : Explanation.match(
            score(firstPass, stages, stages + 1),
            "outside the window of [" + model + "]: below all rescored hits, by:",
            source);
  }
}
