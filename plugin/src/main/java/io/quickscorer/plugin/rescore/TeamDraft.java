// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Mixes two rankings by team-draft interleaving. In each round, each ranking picks its best
 * document that was not picked before; a random draw decides which ranking picks first. Filip
 * Radlinski, Madhu Kurup and Thorsten Joachims, "How Does Clickthrough Data Reflect Retrieval
 * Quality?", CIKM 2008, section 6.
 *
 * <p>The result depends only on the seed and the rankings. A longer result begins with the same
 * documents, so all pages of a search show parts of one list.
 */
final class TeamDraft {
  /**
   * A document of the mixed ranking.
   *
   * @param team the index of the ranking that picked it, 0 or 1
   * @param rank the document's index in that ranking, from 0
   */
  public record Pick(int team, int rank) {}

  private TeamDraft() {}

  /**
   * Returns the mixed ranking, in the order in which its documents were picked.
   *
   * @param a keys of the first ranking's documents, best first, without duplicates
   * @param b keys of the second ranking's documents, best first, without duplicates
   * @param size the maximum number of picks
   * @param seed the seed of the random draws
   */
  public static List<Pick> draft(List<String> a, List<String> b, int size, long seed) {
    List<List<String>> rankings = List.of(a, b);
    int[] next = new int[2];
    int[] picked = new int[2];
    SplittableRandom random = new SplittableRandom(seed);
    Set<String> taken = new HashSet<>();
    List<Pick> picks = new ArrayList<>();
    while (picks.size() < size) {
      int turn =
          picked[0] == picked[1] ? (random.nextBoolean() ? 0 : 1) : picked[0] < picked[1] ? 0 : 1;
      int team = advance(rankings.get(turn), next, turn, taken) ? turn : 1 - turn;
      if (team != turn && !advance(rankings.get(team), next, team, taken)) {
        return picks;
      }
      taken.add(rankings.get(team).get(next[team]));
      picks.add(new Pick(team, next[team]));
      picked[team]++;
    }
    return picks;
  }

  /**
   * Advances {@code next[team]} to the ranking's best document that was not picked yet. Returns
   * whether there is one.
   *
   * @param next for each ranking, the index of its next document; changed by this method
   * @param team the index of the ranking, 0 or 1
   * @param taken the keys of the picked documents
   */
  private static boolean advance(List<String> ranking, int[] next, int team, Set<String> taken) {
    while (next[team] < ranking.size() && taken.contains(ranking.get(next[team]))) {
      next[team]++;
    }
    return next[team] < ranking.size();
  }
}
