// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Determines which of two interleaved models wins each search: the model whose hits got more
 * credit. A hit counts once per search, with the highest credit of its actions. For use by one
 * thread.
 */
final class InterleavedClicks {
  /** Searches with more clicked hits do not count, because no person clicks on so many. */
  static final int MAX_HITS = 100;

  private final Map<String, Search> searches = new LinkedHashMap<>();
  private final Map<String, Long> teams = new TreeMap<>();

  /** A clicked hit, and the model that selected it. */
  private record Hit(String document, String team) {}

  private static final class Search {
    private final long client;
    private final String segment;
    private final Map<Hit, Double> credits = new HashMap<>();
    private long time;

    Search(EventReader.Click first) {
      client = first.client();
      segment = first.segment();
      time = first.time();
    }

    double credit(String team) {
      return credits.entrySet().stream()
          .filter(hit -> hit.getKey().team().equals(team))
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }

  /**
   * The outcomes of all counted searches, in the order of the searches' times.
   *
   * @param leftOut number of searches that were not counted, by reason
   */
  record Outcomes(List<Outcome> searches, Map<String, Long> leftOut) {}

  /**
   * The result of one search.
   *
   * @param sign 1 if the first model won, -1 if the second one won, 0 for a tie
   */
  record Outcome(int sign, String segment) {}

  void add(EventReader.Click click) {
    Search search = searches.computeIfAbsent(click.search(), id -> new Search(click));
    search.time = Math.min(search.time, click.time());
    search.credits.merge(new Hit(click.document(), click.team()), click.credit(), Math::max);
    teams.merge(click.team(), 1L, Long::sum);
  }

  /** Returns the number of clicks on the hits of each model, by the model's name. */
  Map<String, Long> teams() {
    return teams;
  }

  /**
   * Returns the outcomes of the searches whose clicked hits are all from two models.
   *
   * @param maxSearches maximum number of searches that count for each client; later searches are
   *     left out
   */
  Outcomes of(String first, String second, int maxSearches) {
    List<Outcome> outcomes = new ArrayList<>();
    Map<String, Long> leftOut = new TreeMap<>();
    Map<Long, Integer> perClient = new HashMap<>();
    for (Search search :
        searches.values().stream().sorted(Comparator.comparingLong(one -> one.time)).toList()) {
      String reason =
          !search.credits.keySet().stream().map(Hit::team).allMatch(Set.of(first, second)::contains)
              ? "with clicks on hits of other models"
              : search.credits.size() > MAX_HITS
                  ? "with more than " + MAX_HITS + " clicked hits"
                  : search.client != 0
                          && perClient.merge(search.client, 1, Integer::sum) > maxSearches
                      ? "after the first " + maxSearches + " of a client"
                      : "";
      if (reason.isEmpty()) {
        int sign = (int) Math.signum(search.credit(first) - search.credit(second));
        outcomes.add(new Outcome(sign, search.segment));
      } else {
        leftOut.merge(reason, 1L, Long::sum);
      }
    }
    return new Outcomes(outcomes, leftOut);
  }
}
